import type { SignatureScheme, Verification } from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'

/** Creates the scheme of tokens from an API key, or from any key. */
const create = (apiKey?: string): SignatureScheme =>
  jwt({
    header: 'authorization',
    algorithms: ['HS256'],
    claim: 'sha256',
    claimEncoding: 'base64',
    requiredClaims: ['exp'],
    ...(apiKey !== undefined && { claims: { iss: apiKey } }),
  })

const anyKey = create()

/** Splits `<API key>:<secret>`. Neither part has a colon. */
function select(secret: string): readonly [scheme: SignatureScheme, secret: string] {
  const at = secret.indexOf(':')
  return at < 0 ? [anyKey, secret] : [create(secret.slice(0, at)), secret.slice(at + 1)]
}

/** A token whose issuer is the API key. The secret can have the key before it, and the issuer is compared then. */
export const livekitSignature: SignatureScheme = {
  ...anyKey,
  async verify(delivery, secrets, now) {
    let verification: Verification = await anyKey.verify(delivery, [], now)
    for (const [scheme, secret] of secrets.map(select)) {
      verification = await scheme.verify(delivery, [secret], now)
      if (verification.verified) break
    }
    return verification
  },
  sign(delivery, given, now) {
    const [scheme, secret] = select(given)
    return scheme.sign(delivery, secret, now)
  },
}
