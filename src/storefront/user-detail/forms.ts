import type { LanguageCode } from '#kernel/language.ts'
import { pageForm, type Fields, type PageForms } from '../forms/form.ts'
import { PROOF_FORMS, proofOf } from '../forms/proof-forms.ts'

const SECRETS = ['password', 'proof_code'] as const
const address = (section: string, done: string): string =>
  `/userDetail?section=${section}&done=${done}`

/** The number as it is sent on: with the country's code where none was typed. */
export function dialled(fields: Pick<Fields, 'text'>): string {
  const typed = fields.text('account').trim()
  return typed === '' || /^(?:\+|＋|00)/.test(typed) ? typed : `${fields.text('dial')} ${typed}`
}

export const forms = {
  ...PROOF_FORMS,
  savePicture: pageForm({
    call: 'upload/image',
    // A file is sent as a form; the call reads its bytes.
    body: (fields) => ({
      purpose: 'avatar',
      ...(fields.file('image') ? { image: fields.file('image') as never } : {}),
    }),
    done: () => null,
  }),
  removePicture: pageForm({
    call: 'upload/image',
    body: () => ({ purpose: 'avatar', remove: true }),
    done: () => null,
  }),
  saveProfile: pageForm({
    call: 'user/profile',
    body: (fields) => ({
      nickname: fields.text('nickname'),
      username: fields.text('username'),
      language: fields.text('language') as LanguageCode,
    }),
    done: () => null,
  }),
  sendPhone: pageForm({
    call: 'user/send_code',
    body: (fields) => ({ type: 'phone', account: dialled(fields) }),
    done: () => null,
  }),
  confirmPhone: pageForm({
    call: 'user/phone',
    body: (fields) => ({ mobile: fields.text('mobile'), code: fields.text('code') }),
    done: () => address('profile', 'phone'),
    secret: ['code'],
  }),
  removePhone: pageForm({
    call: 'user/phone',
    body: () => ({ remove: true }),
    done: () => address('profile', 'phoneRemoved'),
  }),
  password: pageForm({
    call: 'user/password',
    body: (fields) => ({ new_password: fields.text('new_password'), ...proofOf(fields) }),
    done: () => address('security', 'password'),
    secret: [...SECRETS, 'new_password'],
  }),
  beginFactor: pageForm({
    call: 'user/second_factor',
    body: (fields) => ({ begin: true, ...proofOf(fields) }),
    done: () => null,
    secret: SECRETS,
  }),
  // What the app was told stands in the form itself: it is answered once, and a wrong code must not lose it.
  confirmFactor: pageForm({
    call: 'user/second_factor',
    body: (fields) => ({ confirm: fields.text('confirm'), ...proofOf(fields) }),
    done: () => null,
    secret: [...SECRETS, 'confirm'],
  }),
  renewRecovery: pageForm({
    call: 'user/second_factor',
    body: (fields) => ({ renew_recovery: true, ...proofOf(fields) }),
    done: () => null,
    secret: SECRETS,
  }),
  removeFactor: pageForm({
    call: 'user/second_factor',
    body: (fields) => ({ remove: true, ...proofOf(fields) }),
    done: () => address('security', 'factorOff'),
    secret: SECRETS,
  }),
  /** The proof alone, before what only script or a download does. */
  prove: pageForm({ call: 'user/prove', body: proofOf, done: () => null, secret: SECRETS }),
  renamePasskey: pageForm({
    call: 'user/passkeys',
    body: (fields) => ({
      rename: fields.text('id'),
      name: fields.text('name'),
      ...proofOf(fields),
    }),
    done: () => address('security', 'passkeyRenamed'),
    secret: SECRETS,
  }),
  removePasskey: pageForm({
    call: 'user/passkeys',
    body: (fields) => ({ remove: fields.text('id'), ...proofOf(fields) }),
    done: () => address('security', 'passkeyRemoved'),
    secret: SECRETS,
  }),
  endSession: pageForm({
    call: 'user/sessions',
    body: (fields) => ({ id: fields.text('id') }),
    done: () => address('devices', 'device'),
  }),
  endOthers: pageForm({
    call: 'user/sessions',
    body: () => ({ others: true }),
    done: () => address('devices', 'devices'),
  }),
  saveAddress: pageForm({
    call: 'user/address',
    body: (fields) => ({
      ...(fields.text('id') === '' ? {} : { id: fields.text('id') }),
      country: fields.text('country'),
      region: fields.text('region'),
      first_name: fields.text('first_name'),
      surname: fields.text('surname'),
      address: fields.text('address'),
      postal_code: fields.text('postal_code'),
      is_default: fields.isOn('is_default'),
    }),
    done: () => address('addresses', 'address'),
  }),
  defaultAddress: pageForm({
    call: 'user/address',
    body: (fields) => ({ id: fields.text('id'), is_default: true }),
    done: () => address('addresses', 'addressDefault'),
  }),
  removeAddress: pageForm({
    call: 'user/address',
    body: (fields) => ({ id: fields.text('id'), remove: true }),
    done: () => address('addresses', 'addressRemoved'),
  }),
  renamePlayer: pageForm({
    call: 'account/save',
    body: (fields) => ({ id: fields.text('id'), label: fields.text('label') }),
    done: () => address('players', 'playerNamed'),
  }),
  removePlayer: pageForm({
    call: 'account/forget',
    body: (fields) => ({ id: fields.text('id') }),
    done: () => address('players', 'playerRemoved'),
  }),
  cancel: pageForm({
    call: 'user/cancel',
    body: (fields) => ({
      ...(fields.isOn('give_up_credit') ? { give_up_credit: true } : {}),
      ...proofOf(fields),
    }),
    done: () => '/login?cancelled=1',
    secret: SECRETS,
  }),
} as const satisfies PageForms
