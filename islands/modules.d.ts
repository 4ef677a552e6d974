// Types of imports that the bundler supports and TypeScript does not.
declare module "*.css" {
  const text: string;
  export default text;
}

declare module "leaflet/dist/leaflet-src.esm.js" {
  export * from "leaflet";
}
