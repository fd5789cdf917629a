/** How long the link for the first owner is good; every start writes a new one as long as there is no owner. */
export const OWNER_LINK_MS = 72 * 3_600_000
/** In the data directory, for the user who runs the shop alone. */
export const OWNER_LINK_FILE = 'owner-link'
