import type { ProviderSuiteOptions, SuiteContext } from './provider-options.ts'
import { testEvents, testNotify } from './provider-events.ts'
import { testHandshake } from './provider-handshake.ts'
import { testHeaders } from './provider-headers.ts'
import { testRedelivery } from './provider-redelivery.ts'
import { testBodies, testSignature } from './provider-signature.ts'
import { testTampering } from './provider-tampering.ts'
import type { TestRunner } from './runner.ts'

/**
 * Defines the conformance tests of providers: the signature accepts only deliveries signed with the secret, and the
 * normalizer creates one event per occurrence.
 *
 * - Data must survive JSON: use strings or numbers for times (no `z.coerce.date()`) and strings for big integers.
 * - Keys must come from the content of a delivery. The suite varies every text and number of a sample except the kind,
 *   and fails a provider whose event ids never change. A value whose variants are rejected, such as a signed text, can
 *   contain the key.
 * - Headers in the scheme's `signedHeaders` and `signedIds` count as content. `sign` must create one of them, or a sample
 *   must have it, and a delivery with a missing or changed signed header must be rejected.
 * - A signature must cover the whole body, and bodies with the same signature must have the same verified form.
 * - Unsigned headers of the samples, and headers that `normalize` reads, must not change the ids.
 * - A redelivery up to 400 days later, with a new signature and the same signed ids, must have the same ids.
 * - A time before 1990 counts as seconds by mistake, unless the sample contains the time as a date.
 * - A handshake must not answer deliveries or sign texts of an attacker.
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
    encodeSample: (body) => encode(JSON.stringify(body)),
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
