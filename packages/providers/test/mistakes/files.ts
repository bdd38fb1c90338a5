import { inSamples, inService, inTest, type Mistake } from './mistake.ts'

/** Mistakes in the samples, in the facts for the documentation, and in the names of files. */
export const fileMistakes: readonly Mistake[] = [
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
