import { identifier } from './names.ts'

/** The files of a provider by their paths in its folder. */
export function scaffoldFiles(name: string): ReadonlyMap<string, string> {
  const id = identifier(name)
  return new Map([
    ['fixtures/thing.happened.json', fixture],
    [
      'fixtures/README.md',
      `# Fixtures\n\nTODO 2: the source of the deliveries in this folder, and the replaced values.\n`,
    ],
    ['schemas.ts', schemas(id)],
    ['provider.ts', provider(name, id)],
    ['index.ts', index(id)],
    ['samples.ts', samples],
    ['provider.test.ts', test(id)],
  ])
}

const fixture = `${JSON.stringify(
  {
    headers: {},
    body: {
      TODO: '1: a delivery as the service sends it, without signatures, secrets and personal data; one file a kind, named after it',
      id: 'thing-1',
      happened_at: '2026-01-01T00:00:00Z',
    },
  },
  null,
  2,
)}\n`

const schemas = (id: string): string => `import { z } from 'zod'
import { text } from '../fields.ts'
import { optionalTime } from '../time.ts'

// TODO 3: the fields to read from a delivery, and the data of each event.

/** The payload of a delivery. */
export const payload = z.object({ id: text, happened_at: optionalTime })

/** The data of \`thing.happened\`. */
export const thingHappened = z.object({ thing_id: z.string(), happened_at: z.string().nullable() })

/** The kinds of event, each with the schema of its data. */
export const ${id}Events = { 'thing.happened': thingHappened }
`

const provider = (
  name: string,
  id: string,
): string => `import { defineProvider, hmac } from '@sallyport/webhooks'
import { readText } from '../fields.ts'
import { occurredAt } from '../time.ts'
import { ${id}Events, payload as schema } from './schemas.ts'

/**
 * TODO 4: the signature with a link to its documentation; for each kind, its source and its key.
 */
export const ${id} = defineProvider({
  name: '${name}',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-${name}-signature' }),
  events: ${id}Events,
  normalize({ payload }) {
    // Unknown payloads are ignored. A known payload that fails to parse is quarantined.
    if (readText(payload, 'id') === undefined) return []
    const { id, happened_at } = schema.parse(payload)
    return {
      kind: 'thing.happened',
      key: [id],
      subject: id,
      ...occurredAt(happened_at),
      data: { thing_id: id, happened_at },
    }
  },
})
`

const index = (id: string): string => `/**
 * TODO 5: the service, and the subject of its deliveries.
 *
 * Signed by HMAC-SHA256 of the body, in hex. The secret is TODO: the secret as the service names it.
 *
 * @module
 */
export { ${id} } from './provider.ts'
export { thingHappened } from './schemas.ts'
`

const samples = `/**
 * TODO 6: the source of these deliveries; \`renew\` makes a new event of each.
 *
 * @module
 */
import { recordedSamples } from '../provider-samples.ts'
import thingHappened from './fixtures/thing.happened.json' with { type: 'json' }

export const { kinds, sample, samples } = recordedSamples([
  {
    kind: 'thing.happened',
    ...thingHappened,
    renew: ({ uuid }) => ({ body: { ...thingHappened.body, id: uuid } }),
  },
])
`

const test = (id: string): string => `import { testProvider } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { secret, send } from '../../test/send.ts'
import { ${id} } from './index.ts'
import { sample, samples } from './samples.ts'

testProvider(runner, { provider: ${id}, samples: samples() })

// TODO 7: the signature as documented by the service, computed without the provider's scheme.
it('verifies what the service documents', async () => {
  const text = JSON.stringify(sample('thing.happened').body)
  const digest = createHmac('sha256', secret).update(text).digest('hex')
  const signed = { [${id}.signature.headers[0] ?? '']: digest }
  expect((await send(${id}, text, { signed })).outcome).toBe('accepted')
})
`
