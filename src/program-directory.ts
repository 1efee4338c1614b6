/** Has `main.js` and `console/`: `dist/` in a clone, `program/` in the package, where modules are bundled. */
export const PROGRAM_DIRECTORY = new URL('.', import.meta.url);
