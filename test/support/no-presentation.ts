/** An attribute without a label, as responses have it. */
export const NO_PRESENTATION = { label: null, description: null, unit: null, position: null, group: null };
