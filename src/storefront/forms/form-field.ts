/** Hidden field that names the form within its page. */
export const FORM_FIELD = 'form'
