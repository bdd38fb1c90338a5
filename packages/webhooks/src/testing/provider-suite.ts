import type { ProviderSuiteOptions, SuiteContext } from './provider-options.ts'
import { testBodies } from './provider-signature.ts'
import { testEvents } from './provider-events.ts'
import { testHandshake } from './provider-handshake.ts'
import { testHeaders } from './provider-headers.ts'
import { testNotify } from './provider-events.ts'
import { testRedelivery } from './provider-redelivery.ts'
import { testSignature } from './provider-signature.ts'
import { testTampering } from './provider-tampering.ts'
import type { TestRunner } from './runner.ts'

/**
 * Defines the tests that every provider has to pass: its signature admits only what the secret's holder sent, and its
 * normalizer makes one event of what happened once.
 *
 * Data has to be the same after a journey as JSON, which is how it is kept: a schema gives texts or numbers for times
 * (no `z.coerce.date()`), and texts for big integers. Keys have to come from what is in a delivery: a provider fails that
 * takes every other text and number in a sample, beside what names its kind, and still makes the same event. Where one of
 * them is refused, as in a signed text, the key may be in it, and the provider passes, unless most other forms of it are
 * taken, or what another sample has in its place. Headers that the scheme names in `signedHeaders` or `signedIds` are
 * content, too: `sign` has to make one of them, or a sample to have it, and a delivery without one that was sent, or with
 * another, has to be refused.
 *
 * A signature has to cover the whole body, and bodies that share one have to be handed on as one. Headers that nobody signs
 * are changed where a sample has them or `normalize` asks for them. A redelivery comes up to 400 days later, signed anew,
 * with the same signed ids. What is read of a delivery is the same each time; a time before 1990 is taken for seconds,
 * unless the sample has it as a date.
 *
 * A handshake has to leave deliveries alone, and is asked with texts that nobody may have signed: without real
 * `challenges`, in the places where challenges usually stand.
 *
 * @example
 * ```ts
 * import { testProvider } from '@sallyport/webhooks/testing'
 * import { describe, expect, it } from 'vitest'
 * import { doorbell } from './doorbell.ts'
 *
 * testProvider(
 *   { describe, expect, it },
 *   {
 *     provider: doorbell,
 *     samples: [{ kind: 'bell.rung', headers: {}, body: { id: 'r-1', door: 'front' } }],
 *   },
 * )
 * ```
 */
export function testProvider(runner: TestRunner, options: ProviderSuiteOptions): void {
  const { provider, lacks = [], encode = utf8 } = options
  const secret = options.secret ?? 'a-secret-for-the-conformance-suite-40-ch'
  const context: SuiteContext = {
    provider,
    samples: options.samples,
    ignored: options.ignored ?? [],
    challenges: options.challenges ?? [],
    secret,
    otherSecret: options.otherSecret ?? `other-${secret}`,
    now: options.now ?? Date.UTC(2026, 0),
    toleranceMs: options.toleranceMs ?? Infinity,
    url: options.url,
    encode,
    promises: (capability) => !lacks.includes(capability),
    bytesOf: (body) => encode(JSON.stringify(body)),
  }
  runner.describe(`provider ${provider.name}`, () => {
    testSignature(runner, context)
    testTampering(runner, context)
    if (context.promises('signed-body')) testBodies(runner, context)
    testEvents(runner, context)
    testRedelivery(runner, context)
    testHeaders(runner, context)
    testHandshake(runner, context)
    if (provider.notify !== undefined) testNotify(runner, context)
  })
}

const encoder = new TextEncoder()
const utf8 = (json: string): Uint8Array => encoder.encode(json)
