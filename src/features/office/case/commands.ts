export { openCaseFile } from './write/look.ts'
export { replaceInCase } from './write/replace.ts'
export { removeTemplate, saveTemplate } from './write/template.ts'
