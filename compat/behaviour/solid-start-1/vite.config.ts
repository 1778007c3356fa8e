// SolidStart 1 is configured in app.config.ts, but also reads this file.
export default {}
