/** The tenant provider's logo. */
export const alderLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">
<rect width="24" height="24" rx="6" fill="#1d4f7c"/>
<path d="M12 4.2c3.7 2.2 5.4 4.7 5.4 7.5 0 3-2 5-4.6 5.5v2.6h-1.6v-2.6c-2.6-.5-4.6-2.5-4.6-5.5 0-2.8 1.7-5.3 5.4-7.5z" fill="#fff"/>
<path d="M12 17V9.6m0 5.1 2.4-2.2M12 12.6l-2-1.9" fill="none" stroke="#1d4f7c" stroke-width="1.3" stroke-linecap="round"/>
</svg>
`
