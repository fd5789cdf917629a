/** How many templates a shop keeps. */
export const TEMPLATES_MAX = 100
export const TEMPLATE_NAME_MAX = 80
