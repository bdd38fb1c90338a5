import type * as nodeCrypto from 'node:crypto'
import type { X509Certificate } from 'node:crypto'
import { isSallyportError } from '@sallyport/errors'
import { CompactSign, compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import { listExtensions } from '../crypto/certificate.ts'
import { decodeText, utf8 } from '../crypto/encoding.ts'
import { parseJson } from '../parsers/parse-json.ts'
import { providerUnavailable } from '../ports/refusals.ts'
import type { MaybePromise, SignatureScheme } from '../ports/ports.ts'
import { jsonField, jsonSignature } from './body-fields.ts'
import { isSecret, requireSecret } from './keys.ts'
import { refusal } from './proof.ts'

export interface CertificateChainOptions {
  /** The member of the JSON body with the token, such as `signedPayload`. */
  readonly field: string
  /** The SHA-256 fingerprints of the trusted root certificates, in hexadecimal with or without colons. */
  readonly roots: readonly string[]
  /** The extensions that the leaf and the intermediate certificate must have, as object identifiers. */
  readonly extensions: { readonly leaf: string; readonly intermediate: string }
  /** Checks the claims with the secrets, such as the id of the app: the service signs for every app. */
  readonly check: (
    claims: Readonly<Record<string, unknown>>,
    secrets: readonly string[],
  ) => MaybePromise<boolean>
}

/**
 * A JSON Web Signature in the JSON body, signed with ES256, with the chain of certificates in `x5c`. The verified body is the
 * payload of the token.
 *
 * The chain has a leaf, an intermediate and a root certificate. Each certificate is valid now and issued by the next, and the root
 * is trusted. A secret that is a certificate in PEM is another trusted root, for tests. The scheme does not request revocations.
 *
 * `verify` needs Node, Deno, Bun or a host with `node:crypto`. The secret of `sign` is a private key as JWK with `x5c`.
 *
 * @throws TypeError for an empty list of roots and a malformed fingerprint; from `signBody` for another secret
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) from `verify` on a host without `node:crypto`
 *
 * @example
 * ```ts
 * import { certificateChain } from '@sallyport/webhooks/jwt'
 *
 * const signature = certificateChain({
 *   field: 'signedPayload',
 *   roots: ['63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179'],
 *   extensions: { leaf: '1.2.840.113635.100.6.11.1', intermediate: '1.2.840.113635.100.6.2.1' },
 *   check: ({ data }, bundleIds) => bundleIds.includes((data as { bundleId?: string }).bundleId ?? ''),
 * })
 * ```
 *
 * @see RFC 7515, section 4.1.6
 */
export function certificateChain(options: CertificateChainOptions): SignatureScheme {
  const { field, extensions, check } = options
  const pinned = options.roots.map((root) => root.replaceAll(':', '').toUpperCase())
  if (pinned.length === 0 || !pinned.every((root) => /^[0-9A-F]{64}$/.test(root)))
    throw new TypeError('roots must be SHA-256 fingerprints in hexadecimal')
  const location = jsonSignature(field)

  return {
    headers: [],
    description: { scheme: 'certificate-chain', options },

    async verify({ body }, secrets, now) {
      const token = jsonField(body, field)
      if (token === undefined) return refusal('missing')
      const usable = secrets.filter(isSecret)
      const roots = [
        ...pinned,
        ...usable.filter(isCertificate).map((pem) => fingerprint(readCertificate(pem))),
      ]
      const chain = readChain(token)
      if (chain === undefined) return refusal('malformed')
      const [leaf, intermediate, root] = chain
      const isTrusted =
        chain.every((one) => now >= Date.parse(one.validFrom) && now <= Date.parse(one.validTo)) &&
        roots.includes(fingerprint(root)) &&
        intermediate.ca &&
        root.ca &&
        isIssuedBy(leaf, intermediate) &&
        isIssuedBy(intermediate, root) &&
        listExtensions(leaf.raw).includes(extensions.leaf) &&
        listExtensions(intermediate.raw).includes(extensions.intermediate)
      const payload = isTrusted ? await readPayload(token, leaf) : undefined
      if (payload === undefined) return refusal('mismatch')
      const claims = parseJson(payload) as Readonly<Record<string, unknown>>
      const names = usable.filter((secret) => !isCertificate(secret))
      return (await check(claims, names)) ? { verified: true, body: payload } : refusal('mismatch')
    },

    checkSecret(secret) {
      if (isCertificate(secret)) readCertificate(secret)
    },

    sign: () => ({}),

    async signBody({ body }, secret) {
      requireSecret(secret)
      const { x5c, ...jwk } = parseJson(utf8(secret)) as { readonly x5c: string[] }
      const token = await new CompactSign(body)
        .setProtectedHeader({ alg: 'ES256', x5c })
        .sign(await importJWK(jwk, 'ES256'))
      return location.writeBody?.(utf8('{}'), token) ?? body
    },
  }
}

type Chain = readonly [leaf: X509Certificate, intermediate: X509Certificate, root: X509Certificate]

/** A static import would not load on hosts without Node's crypto. */
function parseCertificate(certificate: string | Uint8Array): X509Certificate {
  const { process } = globalThis as {
    readonly process?: { getBuiltinModule?(name: string): typeof nodeCrypto | undefined }
  }
  const crypto = process?.getBuiltinModule?.('node:crypto')
  if (crypto === undefined) throw providerUnavailable('Chains of certificates need a host with node:crypto')
  return new crypto.X509Certificate(certificate)
}

function readCertificate(pem: string): X509Certificate {
  try {
    return parseCertificate(pem)
  } catch (error) {
    if (isSallyportError(error)) throw error
    throw providerUnavailable('A secret of this provider is not a certificate in PEM')
  }
}

function readChain(token: string): Chain | undefined {
  try {
    const { x5c } = decodeProtectedHeader(token) as { readonly x5c?: unknown }
    if (!Array.isArray(x5c) || x5c.length !== 3) return undefined
    const [leaf, intermediate, root] = x5c.map((one) => {
      const der = decodeText('base64', String(one))
      return der && parseCertificate(der)
    })
    return leaf && intermediate && root && [leaf, intermediate, root]
  } catch (error) {
    if (isSallyportError(error)) throw error
    return undefined
  }
}

async function readPayload(token: string, leaf: X509Certificate): Promise<Uint8Array | undefined> {
  try {
    return (await compactVerify(token, leaf.publicKey, { algorithms: ['ES256'] })).payload
  } catch {
    // The signature does not verify, or the key is for another algorithm.
    return undefined
  }
}

const isCertificate = (secret: string): boolean =>
  secret.trimStart().startsWith('-----BEGIN CERTIFICATE-----')

const fingerprint = (certificate: X509Certificate): string => certificate.fingerprint256.replaceAll(':', '')

const isIssuedBy = (one: X509Certificate, issuer: X509Certificate): boolean =>
  one.checkIssued(issuer) && one.verify(issuer.publicKey)
