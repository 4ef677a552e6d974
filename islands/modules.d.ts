// What the bundler understands and TypeScript does not know by itself.
declare module "*.css" {
  const text: string;
  export default text;
}

declare module "leaflet/dist/leaflet-src.esm.js" {
  export * from "leaflet";
}
