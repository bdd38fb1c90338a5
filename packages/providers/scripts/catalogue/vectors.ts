import type { Service } from '@sallyport/webhooks'
import { encodeSampleBody, presentSample, type ServiceSample } from '@sallyport/webhooks/testing'
import { createHash } from 'node:crypto'
import { plainDelivery } from './plain-delivery.ts'
import { receiveVector, type Received } from './receive-vector.ts'
import { createRefused } from './refused-vectors.ts'
import type { AcceptedVector, CatalogueService, Vectors } from './schema.ts'
import { signVector } from './sign-vector.ts'
import { getVectorSecrets } from './vector-secrets.ts'

const now = Date.UTC(2026, 0)

/** Creates the test vectors of a service. A stored delivery stays if its signature is random and still verifies. */
export async function createVectors(
  provider: Service,
  samples: readonly ServiceSample[],
  signature: CatalogueService['signature'],
  stored: Vectors | undefined,
): Promise<Vectors> {
  const secrets = getVectorSecrets(provider)
  const unsigned = createUnsigned(provider, samples)
  const { headers, body } = plainDelivery(unsigned)
  const signed = await signVector(
    provider,
    { method: 'POST', headers, body, url: unsigned.url },
    secrets,
    now,
  )
  const created = {
    secrets: [...secrets.secrets],
    time: new Date(now).toISOString(),
    ...unsigned,
    headers: { ...unsigned.headers, ...signed.headers },
    ...(signed.url !== undefined && { url: signed.url }),
    body: decode(signed.body),
    ...(secrets.documents && { documents: secrets.documents }),
  }
  const received = await receiveVector(provider, created)
  const { name } = provider
  if (!received.verification.verified || received.status >= 300)
    throw new TypeError(
      `The test vector of ${name} is refused with ${received.status}: see sign-vector.ts and vector-secrets.ts`,
    )
  const events = listEvents(provider, received)
  const isKept =
    stored !== undefined && (await isEquivalent(provider, stored.accepted, { ...created, events }, received))
  const accepted = isKept ? stored.accepted : { ...created, events }
  return { accepted, refused: await createRefused(provider, accepted, signature, unsigned, secrets.other) }
}

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

type Unsigned = Pick<AcceptedVector, 'method' | 'url' | 'headers' | 'body'>

/** The smallest sample of a service, with fixed values for ids that the sender creates. */
function createUnsigned(provider: Service, samples: readonly ServiceSample[]): Unsigned {
  const { name, signature } = provider
  const sized = samples.map((sample) => presentSample(provider, sample, now))
  const size = ({ body }: { readonly body: unknown }) => encodeSampleBody(body).length
  // The description of the signature has the form of the first sample.
  const isAlike = ({ body }: { readonly body: unknown }) => typeof body === typeof sized[0]?.body
  const [sample] = sized.filter(isAlike).toSorted((one, other) => size(one) - size(other))
  if (sample === undefined) throw new TypeError(`${name} has no samples`)
  const own = Object.fromEntries(
    Object.entries(sample.headers).map(([key, value]) => [key.toLowerCase(), value]),
  )
  const created = [...(signature.signedHeaders ?? []), ...(signature.signedIds ?? [])]
    .filter((header) => !Object.hasOwn(own, header) && header !== 'sallyport-signed-content')
    .map((header) => [header, createId(`${header} of ${name}`)])
  return {
    method: 'POST',
    url: `https://hooks.example.com/webhooks/${name}`,
    headers: { ...own, ...(Object.fromEntries(created) as Record<string, string>) },
    body: decode(encodeSampleBody(sample.body)),
  }
}

function createId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5')
}

/** The events of a delivery. The id is omitted where each delivery is a new event. */
function listEvents({ name, service }: Service, { events }: Received): AcceptedVector['events'] {
  return events.map((event) => ({
    kind: event.name.slice(name.length + 1),
    ...(service.distinct === undefined && { id: event.id }),
  }))
}

/** Whether a stored delivery is another signature of the same content. */
async function isEquivalent(
  provider: Service,
  stored: AcceptedVector,
  created: AcceptedVector,
  received: Received,
): Promise<boolean> {
  const omit = new Set([...provider.signature.headers, ...(provider.signature.signedHeaders ?? [])])
  const toText = ({ headers, ...others }: AcceptedVector) =>
    JSON.stringify([
      { ...others, body: undefined },
      Object.entries(headers).filter(([name]) => !omit.has(name)),
    ])
  if (toText(stored) !== toText(created)) return false
  const { verification } = await receiveVector(provider, stored)
  const own = received.verification
  return verification.verified && own.verified && decode(verification.body) === decode(own.body)
}
