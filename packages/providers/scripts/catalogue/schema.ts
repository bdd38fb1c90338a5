import { z } from 'zod'

const template = (about: string) => z.string().describe(`${about} Names in braces stand for values.`)
const headers = z.record(z.string(), z.string())

const signature = z
  .strictObject({
    scheme: z
      .enum([
        ...(['hmac', 'hash', 'rsa', 'ecdsa', 'ed25519', 'jwt', 'detached-jws', 'certificate-chain'] as const),
        ...(['sns', 'token', 'basic', 'body-token', 'query-token', 'other'] as const),
      ])
      .describe(
        'How a delivery is signed. `hash` is a plain hash over content that contains the secret, `other` a scheme of this service alone.',
      ),
    algorithms: z
      .array(z.string())
      .exactOptional()
      .describe(
        'The hash of an `hmac` or `hash`; the hash and padding of `rsa`; the algorithms of RFC 7518 of a token.',
      ),
    encoding: z.enum(['hex', 'hex-upper', 'base64', 'base64url']).exactOptional(),
    headers: headers
      .exactOptional()
      .describe(
        'The headers of a signed delivery by lower-case name. `{signature}` is the encoded signature, `{signature:base64}` its base64, `{timestamp}` the signed time, `{id}` the signed id, `{token}` a token, or an object with the signature, `{header.<name>}` another signed header.',
      ),
    field: z
      .string()
      .exactOptional()
      .describe(
        'The member of the JSON or form body with the signature, the token or the secret, as a dotted path; empty when the whole body is the token.',
      ),
    parameter: z
      .string()
      .exactOptional()
      .describe('The parameter of the query with the signature or the secret.'),
    content: z
      .array(template('The signed bytes.'))
      .exactOptional()
      .describe(
        'The forms of the signed content, of which one matches. `{body}` stands for the received bytes, `{body.a.b}` for a member of the JSON or form body, `{body:sha256:hex}` for a digest of the body, `{body:json}` for the body inside of a JSON string, `{url}`, `{url.origin}` and `{url.path}` for the public address, `{method}`, `{secret}`, `{timestamp}`, `{id}` and `{header.<name>}` for these values.',
      ),
    contentNote: z
      .string()
      .exactOptional()
      .describe('The signed content in words, where a template cannot express it.'),
    key: template('The key of an HMAC.')
      .exactOptional()
      .describe(
        'The key of an HMAC: `{secret}` stands for the UTF-8 bytes of the secret, `{secret:base64}` and `{secret:hex}` for the decoded secret, `{secret:sha1}` for its digest.',
      ),
    secretPrefix: z
      .string()
      .exactOptional()
      .describe('The prefix of a secret that is removed before the secret is decoded.'),
    claim: z.string().exactOptional().describe('The claim of a token with the SHA-256 of the body.'),
    claimEncoding: z.enum(['hex', 'hex-upper', 'base64', 'base64url']).exactOptional(),
    tolerance: z
      .strictObject({
        seconds: z.number().positive(),
        unit: z.enum(['s', 'ms', 'ns', 'rfc3339', 's or ms', 'claims']),
        from: z
          .string()
          .describe(
            'The place of the time: `{timestamp}` of the headers, a member of the body such as `{body.time}`, or `claims`.',
          ),
      })
      .exactOptional()
      .describe('The signed time, and its largest difference to the clock.'),
    trust: z
      .enum(['signed', 'partial', 'origin', 'none'])
      .describe('How much of a delivery the proof covers.'),
    covers: z.string().exactOptional().describe('The parts that a `partial` proof covers.'),
  })
  .describe('How the service signs.')

const source = z
  .string()
  .describe(
    'A dotted path in the event, `/path` in the payload, `../path` in the parent, `header:<name>`, or `computed`.',
  )

const identity = z
  .strictObject({
    by: z
      .enum(['id', 'content', 'delivery'])
      .describe(
        '`id`: the sources; `content`: the hash of the signed content; `delivery`: each delivery is a new event.',
      ),
    sources: z.array(source).exactOptional(),
    ignored: z
      .array(z.string())
      .exactOptional()
      .describe('Members that differ between two attempts of an event.'),
    sometimesDistinct: z
      .literal(true)
      .exactOptional()
      .describe('Each delivery of some events is a new event, because their bodies can be equal.'),
    attempts: z
      .array(source)
      .exactOptional()
      .describe('The value that all attempts of a delivery repeat, where each delivery is a new event.'),
    documentation: z.string().exactOptional().describe('The page that documents the id as unique.'),
  })
  .describe('What makes two deliveries one event.')

const expectedEvent = z.strictObject({
  kind: z.string(),
  id: z
    .string()
    .exactOptional()
    .describe('The id of the event in Sallyport. Absent when each delivery is a new event.'),
})

const request = z.strictObject({
  secrets: z
    .array(z.string())
    .describe('The configured secrets: shared secrets, public keys, or names such as a topic.'),
  time: z.string().describe('The time of the receiver, in UTC.'),
  method: z.literal('POST'),
  url: z.string().describe('The public address.'),
  headers,
  body: z.string().describe('The body in UTF-8.'),
})

const accepted = request
  .extend({
    documents: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe('The answers of the key servers of the service by URL, with test keys.'),
    events: z.array(expectedEvent).describe('The events of the delivery, in order.'),
  })
  .describe('A signed delivery that a receiver accepts.')

const refused = z
  .strictObject({
    change: z
      .enum(['body', 'secret', 'time', 'signature'])
      .describe('What differs from the accepted delivery.'),
    reason: z.enum(['missing', 'malformed', 'mismatch', 'expired']),
    secrets: request.shape.secrets.exactOptional(),
    time: request.shape.time.exactOptional(),
    url: request.shape.url.exactOptional(),
    headers: request.shape.headers.exactOptional(),
    body: request.shape.body.exactOptional(),
  })
  .describe('A delivery that a receiver refuses. Absent members are those of the accepted delivery.')

const service = z.strictObject({
  name: z.string(),
  title: z.string(),
  docs: z.string().describe('The page of the service on its webhooks.'),
  signature,
  identity,
  kind: z.array(source).describe('The sources of the name of an event. Dots join their values.'),
  time: z.array(source).exactOptional().describe('The sources of the time of an event.'),
  events: z
    .array(z.string())
    .exactOptional()
    .describe('The lists of events in a delivery, as paths with `*` for each element.'),
  handshake: z
    .strictObject({ methods: z.array(z.string()), establishesSecret: z.literal(true).exactOptional() })
    .exactOptional()
    .describe('The challenge by which the service verifies an address.'),
  answer: z
    .strictObject({
      status: z.number().int(),
      contentType: z.string().exactOptional(),
      body: z.string().exactOptional(),
    })
    .exactOptional()
    .describe(
      'The response that the service requires to a delivery. Absent when any 2xx response is enough.',
    ),
  bodyLimit: z
    .number()
    .int()
    .exactOptional()
    .describe('The largest body in bytes, where it is larger than usual.'),
  retries: z
    .string()
    .describe('When the service sends again, in words; `unknown` when its sources do not say.'),
  confidence: z.enum(['primary', 'secondary']),
  checked: z
    .string()

    .describe('The month in which the entry was last compared with its sources.'),
  sources: z.array(z.string()).describe('The pages and files that the entry follows.'),
  vectors: z.strictObject({ accepted, refused: z.array(refused) }),
})

const catalogue = z
  .strictObject({
    $schema: z.literal('./catalogue.schema.json'),
    version: z.literal(1).describe('Changes when members change their meaning or disappear.'),
    services: z.array(service),
  })
  .describe('How services sign and identify their webhooks, with signed test vectors.')

export type Catalogue = z.infer<typeof catalogue>
export type CatalogueService = Catalogue['services'][number]
export type Vectors = CatalogueService['vectors']
export type AcceptedVector = Vectors['accepted']
export type RefusedVector = Vectors['refused'][number]

/** The JSON Schema of the catalogue. */
export const catalogueSchema = (): object => z.toJSONSchema(catalogue)
