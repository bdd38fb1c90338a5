import { getTrust, type SchemeDescription, type Service, type ServiceFacts } from '@sallyport/webhooks'
import { contentNotes } from './content-notes.ts'
import { describeKey } from './describe-key.ts'
import { describeProof } from './describe-proof.ts'
import { nameForm } from './name-form.ts'
import type { CatalogueService } from './schema.ts'

type Signature = CatalogueService['signature']
type Parts = Omit<Signature, 'trust' | 'covers'>

/** Describes how a service signs. The sample has the form of its bodies. */
export async function describeSignature(
  { name, signature, trust }: Service,
  facts: ServiceFacts,
  sample: unknown,
): Promise<Signature> {
  const { description, covers } = signature
  const note = contentNotes[name]
  const { content, ...others } = description
    ? await describeScheme(description, sample)
    : describeOther(signature.headers)
  if (note === undefined && isProof(others.scheme) && content === undefined) {
    throw new TypeError(
      `The signed content of ${name} depends on its values: describe it in content-notes.ts`,
    )
  }
  const parts = { ...others, ...(note === undefined ? content && { content } : { contentNote: note }) }
  const listed = Array.isArray(covers) ? (covers as readonly string[]).join(', ') : ''
  const covered = facts.covers ?? listed
  return {
    ...parts,
    trust: getTrust({ signature, ...(trust && { trust }) }),
    ...(covered !== '' && { covers: covered }),
  }
}

/** A scheme of a service's own. */
const describeOther = (headers: readonly string[]): Parts => ({
  scheme: 'other',
  headers: Object.fromEntries(headers.map((header) => [header, '{signature}'])),
})

const isProof = (scheme: Parts['scheme']): boolean =>
  ['hmac', 'hash', 'rsa', 'ecdsa', 'ed25519', 'detached-jws', 'other'].includes(scheme)

async function describeScheme(description: SchemeDescription, sample: unknown): Promise<Parts> {
  const { scheme } = description
  switch (scheme) {
    case 'hmac': {
      const { options } = description
      const { content, ...proof } = await describeProof(options, sample)
      const body = nameForm(options.forms)
      return {
        scheme,
        algorithms: [options.algorithm],
        ...proof,
        ...(content && { content: content.map((one) => one.replaceAll('{body}', body)) }),
        ...(await describeKey(options.key)),
      }
    }
    case 'hash':
      return {
        scheme,
        algorithms: [description.options.algorithm],
        ...(await describeProof(description.options, sample)),
      }
    case 'rsa': {
      const { hash = 'sha256', padding = 'pkcs1' } = description.options
      return {
        scheme,
        algorithms: [`${padding}-${hash}`],
        ...(await describeProof(description.options, sample)),
      }
    }
    case 'ecdsa': {
      const { hash = 'sha256', format = 'der' } = description.options
      return {
        scheme,
        algorithms: [`p256-${hash}-${format}`],
        ...(await describeProof(description.options, sample)),
      }
    }
    case 'ed25519':
      return { scheme, ...(await describeProof(description.options, sample)) }
    case 'detached-jws': {
      const { options } = description
      const proof = await describeProof({ ...options, encoding: 'base64url' }, sample)
      return {
        scheme,
        algorithms: [...options.algorithms],
        ...proof,
        headers: { [options.header.toLowerCase()]: '{token}' },
      }
    }
    case 'jwt':
      return describeToken(description.options)
    case 'certificate-chain':
      return { scheme, algorithms: ['ES256'], field: description.options.field }
    case 'sns':
      return { scheme, algorithms: ['pkcs1-sha1', 'pkcs1-sha256'], encoding: 'base64', field: 'Signature' }
    case 'token': {
      const { header, prefix = '' } = description.options
      return { scheme, headers: { [header.toLowerCase()]: `${prefix}{secret}` } }
    }
    case 'basic':
      return { scheme, headers: { authorization: 'Basic {secret:base64}' } }
    case 'query-token':
      return { scheme, parameter: description.options.name }
    case 'body-token':
      return { scheme, field: description.options.path }
  }
}

function describeToken(options: Extract<SchemeDescription, { scheme: 'jwt' }>['options']): Parts {
  const { header, prefix = '', algorithms, claimEncoding = 'hex', toleranceSeconds = 300 } = options
  const claim = options.claim ?? (header === undefined ? false : 'request_body_sha256')
  return {
    scheme: 'jwt',
    algorithms: [...algorithms],
    ...(header === undefined ? { field: '' } : { headers: { [header.toLowerCase()]: `${prefix}{token}` } }),
    ...(claim !== false && { claim, claimEncoding }),
    tolerance: { seconds: toleranceSeconds, unit: 'claims', from: 'claims' },
  }
}
