/** What the server that stands for Stripe takes. */
export const STRIPE_KEY = 'sk_test_e2e0123456789abcdef'
export const STRIPE_SIGNING = 'whsec_e2e0123456789'
