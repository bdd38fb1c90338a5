/** The files of a service by name, such as `acme.ts`. */
export type Files = Map<string, string>

/** A mistake that a contributor can make in the files of a new service. */
export interface Mistake {
  readonly title: string
  /** Makes the mistake in the correct files. */
  readonly make: (files: Files) => void
  /** What a message must say. */
  readonly message: RegExp
}

/** Replaces a text that the file has. */
function replace(file: string, from: string | RegExp, to: string): Mistake['make'] {
  return (files) => {
    const text = files.get(file) ?? ''
    const changed = text.replace(from, to)
    if (changed === text) throw new TypeError(`${file} has no ${String(from)}`)
    files.set(file, changed)
  }
}

const inService = (from: string | RegExp, to: string) => replace('acme.ts', from, to)
const inSamples = (from: string | RegExp, to: string) => replace('acme.samples.json', from, to)
const inTest = (from: string | RegExp, to: string) => replace('acme.test.ts', from, to)

export const mistakes: readonly Mistake[] = [
  // The signature.
  {
    title: 'the wrong encoding',
    make: inService(`encoding: 'hex'`, `encoding: 'base64'`),
    message: /accepts a signature of other code/,
  },
  {
    title: 'an unknown encoding',
    make: inService(`encoding: 'hex'`, `encoding: 'hexadecimal'`),
    message: /encoding must be hex, hex-upper, base64 or base64url/,
  },
  {
    title: 'an unknown algorithm',
    make: inService(`algorithm: 'sha256'`, `algorithm: 'sha-256'`),
    message: /algorithm must be md5, sha1, sha256 or sha512/,
  },
  {
    title: 'the wrong header',
    make: inService(`header: 'acme-signature'`, `header: 'x-acme-signature'`),
    message: /accepts a signature of other code/,
  },
  {
    title: 'the wrong prefix',
    make: inService(`prefix: 'v1='`, `prefix: 'sha256='`),
    message: /accepts a signature of other code/,
  },
  {
    title: 'a header in upper case',
    make: inService(`header: 'acme-signature'`, `header: 'Acme-Signature'`),
    message: /The header Acme-Signature is not in lower case/,
  },
  {
    title: 'a signed time in the wrong unit',
    make: inService('signedTime({', `signedTime({ unit: 'ms',`),
    message: /accepts a signature of other code/,
  },
  {
    title: 'a signed time without its content',
    make: inService(/ *content: .*\n/, ''),
    message: /content must have the time or id/,
  },
  {
    title: 'content without the body',
    make: inService(`[timestamp, '.', body]`, '[timestamp]'),
    message: /accepts a signature of other code/,
  },
  // The events.
  {
    title: 'an id that no sample has',
    make: inService(`id: 'id'`, `id: 'event_id'`),
    message: /finds each source of its id.*event_id/s,
  },
  {
    title: 'a time that no sample has',
    make: inService(`time: 'created_at'`, `time: 'createdAt'`),
    message: /finds each source of its id, subject and time.*createdAt/s,
  },
  {
    title: 'a list of events that no sample has',
    make: inService(`kind: 'type'`, `kind: 'type',\n  events: 'items.*'`),
    message: /`events` matches no sample: items\.\*/,
  },
  {
    title: 'the time of receipt as the id',
    make: inService(`id: 'id'`, 'id: (_, { receivedAt }) => receivedAt'),
    message: /same ids to a redelivery/,
  },
  {
    title: 'an unsigned header as the id',
    make: inService(`id: 'id'`, `id: { header: 'x-request-id' }`),
    message: /The header x-request-id of acme is not signed and cannot be an id/,
  },
  {
    title: 'the kind of the entity instead of the event',
    make: inService(`kind: 'type'`, `kind: 'object'`),
    message: /passes each sample as events of its kinds/,
  },
  {
    title: 'a kind that no sample has',
    make: inService(`kind: 'type'`, `kind: 'event.type'`),
    message: /passes each sample as events of its kinds/,
  },
  {
    title: 'a member of each attempt that no sample has',
    make: inService(`id: 'id',\n`, `ignore: ['attempt'],\n`),
    message: /finds each source.*attempt/s,
  },
  // The samples.
  {
    title: 'no samples',
    make: (files) => files.delete('acme.samples.json'),
    message: /acme\.samples\.json/,
  },
  {
    title: 'one sample',
    make: (files) => {
      const [first] = JSON.parse(files.get('acme.samples.json') ?? '') as object[]
      files.set('acme.samples.json', JSON.stringify([first]))
    },
    message: /fewer than two/,
  },
  {
    title: 'a sample twice',
    make: (files) => {
      const [first] = JSON.parse(files.get('acme.samples.json') ?? '') as object[]
      files.set('acme.samples.json', JSON.stringify([first, first]))
    },
    message: /different ids to different events/,
  },
  {
    title: 'a sample with another kind than its body',
    make: inSamples('"kind": "order.created"', '"kind": "order.made"'),
    message: /passes each sample as events of its kinds.*order\.made/s,
  },
  {
    title: 'a kind with a slash in a sample',
    make: inSamples('"kind": "order.created"', '"kind": "order/created"'),
    message: /"order\/created" of a sample is not a kind/,
  },
  {
    title: 'a secret in a sample',
    make: inSamples('"id": "evt_1"', `"id": "evt_1", "key": "${['sk', 'live', '0a1b2c'].join('_')}"`),
    message: /The sample order\.created has a secret/,
  },
  {
    title: 'a signature in a sample',
    make: inSamples('"headers": {', '"headers": { "acme-signature": "v1=0a1b",'),
    message: /has a signature in acme-signature/,
  },
  {
    title: 'the address of a person in a sample',
    make: inSamples('"id": "evt_1"', '"id": "evt_1", "email": "ann.smith@gmail.com"'),
    message: /address of a person/,
  },
  {
    title: 'a header in upper case in a sample',
    make: inSamples('"content-type"', '"Content-Type"'),
    message: /The header Content-Type of the sample order\.created is not in lower case/,
  },
  {
    title: 'a sample without its source',
    make: inSamples(/"source": "[^"]*"/, '"source": ""'),
    message: /`source` of the sample order\.created is empty/,
  },
  // The facts.
  {
    title: 'no facts',
    make: inService(/export const facts[^]*/, ''),
    message: /src\/services\/acme\.ts must export "facts"/,
  },
  {
    title: 'no title',
    make: inService(/ *title: .*\n/, ''),
    message: /Property 'title' is missing/,
  },
  {
    title: 'a page that is not https',
    make: inService(`docs: 'https:`, `docs: 'http:`),
    message: /`docs` is not an https address/,
  },
  {
    title: 'a month in the future',
    make: inService(`checked: '2026-11'`, `checked: '2026-12'`),
    message: /`checked` is in the future/,
  },
  {
    title: 'a month as text',
    make: inService(`checked: '2026-11'`, `checked: 'November'`),
    message: /Type '"November"' is not assignable/,
  },
  {
    title: 'no sources',
    make: inService(/sources: \[.*\]/, 'sources: []'),
    message: /`sources` is empty/,
  },
  {
    title: 'a source that is no address',
    make: inService(/sources: \[.*\]/, `sources: ['the documentation']`),
    message: /"the documentation" is not an https address/,
  },
  {
    title: 'an id without the page that documents it',
    make: inService(/ *identity: .*\n/, ''),
    message: /`identity` is missing/,
  },
  {
    title: 'no retries',
    make: inService(/ *retries: .*\n/, ''),
    message: /Property 'retries' is missing/,
  },
  {
    title: 'no place of the secret',
    make: inService(/setup: \[.*\]/, `setup: ['Open Settings, Webhooks, and enter the address.']`),
    message: /does not say where the secret is found/,
  },
  // The files.
  {
    title: 'another name than the file',
    make: inService(`name: 'acme'`, `name: 'acne'`),
    message: /src\/services\/acme\.ts must export the service "acme" as acme/,
  },
  {
    title: 'another export than the file',
    make: inService('export const acme =', 'export const acmeHooks ='),
    message: /src\/services\/acme\.ts must export the service "acme" as acme/,
  },
  {
    title: 'no test',
    make: (files) => files.delete('acme.test.ts'),
    message: /The service has no test/,
  },
  {
    title: 'a test that signs with the declaration',
    make: inTest(
      /sign: [^]*/,
      'sign: (delivery) => acme.signature.sign(delivery as never, delivery.secret, delivery.now),\n})\n',
    ),
    message: /sign with other code/,
  },
]
