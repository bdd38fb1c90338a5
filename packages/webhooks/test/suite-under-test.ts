import { expect } from 'vitest'
import { z } from 'zod'
import {
  defineProvider,
  hmac,
  type NormalizedEvent,
  type Provider,
  type VerifiedDelivery,
} from '../src/index.ts'
import type { TestRunner } from '../src/testing/runner.ts'
import { testProvider, type ProviderSample } from '../src/testing/index.ts'
import type { ProviderSuiteOptions } from '../src/testing/provider-options.ts'

// A provider that passes the suite, and a function that lists the failing tests of another provider.

export const events = {
  'bell.rung': z.object({ door: z.string() }),
  'bell.broken': z.object({ door: z.string() }),
}
export const payload = z.object({ id: z.string(), what: z.string(), door: z.string() })

export const samples: readonly ProviderSample[] = [
  { kind: 'bell.rung', headers: { 'x-bell-id': '1' }, body: { id: 'r-1', what: 'rung', door: 'front' } },
  { kind: 'bell.broken', headers: { 'x-bell-id': '2' }, body: { id: 'b-1', what: 'broken', door: 'back' } },
]
export const ignored = [{ headers: { 'x-bell-id': '3' }, body: { id: 'p-1', what: 'painted', door: 'back' } }]

export type Doorbell = Provider<typeof events>

export const signature = hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-bell-signature' })

export type Found = NormalizedEvent<typeof events>

export function normalize(delivery: VerifiedDelivery): Found | readonly Found[] {
  const { id, what, door } = payload.parse(delivery.payload)
  if (what !== 'rung' && what !== 'broken') return []
  return { kind: `bell.${what}`, key: [id], subject: door, data: { door } }
}

export function doorbell(changes: Partial<Doorbell> = {}): Doorbell {
  return defineProvider({
    name: 'doorbell',
    signature,
    events,
    normalize,
    notify: ({ name, source }) => ({
      title: source.manual ? `A test of ${name}` : name,
      text: 'At the door',
      severity: 'info',
    }),
    ...changes,
  })
}

/** Returns the names of the tests that a provider fails. */
export async function findFailures(
  options: Partial<ProviderSuiteOptions>,
  messages: string[] = [],
): Promise<readonly string[]> {
  return runSuite((runner) => {
    testProvider(runner, { provider: doorbell(), samples, ignored, ...options })
  }, messages)
}

/** Runs the tests of a suite, and returns the names of those that fail. */
export async function runSuite(
  define: (runner: TestRunner) => void,
  messages: string[] = [],
): Promise<readonly string[]> {
  const tests: [name: string, body: () => void | Promise<void>][] = []
  define({
    describe: (_, body) => {
      body()
    },
    it: (name, body) => tests.push([name, body]),
    expect,
  })
  const failed: string[] = []
  for (const [name, body] of tests) {
    try {
      await body()
    } catch (error) {
      failed.push(name)
      messages.push(String(error))
    }
  }
  return failed
}
