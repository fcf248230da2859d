/** A file as text: Vite's notation, which our bundling supports, too. */
declare module '*?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how Vite hands it over
  export default text;
}
