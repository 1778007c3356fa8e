// SolidStart 1 is configured in app.config.ts, but reads this file, too.
export default {}
