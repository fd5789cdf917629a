export { giveCredit, previewCredit } from './write/credit.ts'
export { addShopperNote, eraseShopperNote, removeShopperNote } from './write/note.ts'
export {
  endShopperSessions,
  freezeShopper,
  noteFind,
  openFile,
  releaseShopper,
} from './write/account.ts'
export { resendMail } from './write/mail.ts'
