import type { Handshake, HandshakeRequest, SignatureScheme } from '@sallyport/webhooks'

/** Marks a secret that is a verify token. */
const mark = 'verify:'

const isVerifyToken = (secret: string): boolean => secret.startsWith(mark)

/**
 * Excludes the verify tokens from the keys of a scheme. URLs and the logs of proxies contain a verify token, so that it must
 * not verify a delivery.
 */
export function withVerifyTokens(scheme: SignatureScheme): SignatureScheme {
  return {
    ...scheme,
    verify: (delivery, secrets, now) =>
      scheme.verify(
        delivery,
        secrets.filter((secret) => !isVerifyToken(secret)),
        now,
      ),
  }
}

/** Creates a handshake that accepts each secret `verify:<token>` as a verify token, and no other secret. */
export function createVerifyTokenHandshake(create: (tokens: readonly string[]) => Handshake): Handshake {
  return {
    methods: ['GET'],
    answer(request: HandshakeRequest) {
      const tokens = request.secrets
        .filter(isVerifyToken)
        .map((secret) => secret.slice(mark.length))
        .filter((token) => token !== '')
      return tokens.length === 0 ? undefined : create(tokens).answer(request)
    },
  }
}
