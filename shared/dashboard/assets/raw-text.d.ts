/** A file as text: Vite's notation, which the bundling knows too. */
declare module '*?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how Vite hands it over
  export default text;
}
