/** What an object is called outside: 128 random bits, as an address can hold them. */
export const PUBLIC_ID = /^[A-Za-z0-9_-]{22}$/
