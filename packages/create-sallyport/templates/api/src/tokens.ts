import { createKeyRing } from '@sallyport/auth'

/** Creates the options of the access tokens, for their issuer and for the API. */
export const createTokenOptions = (secret: string) => ({
  keys: createKeyRing([secret]),
  issuer: 'my-app',
  audience: 'my-app',
})
