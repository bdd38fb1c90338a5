import type { MaybePromise, SecretSource } from '@sallyport/webhooks'
import type { TestRunner } from '@sallyport/webhooks/testing'

/** A secret source and its store. */
export interface SecretSourceUnderTest {
  readonly source: SecretSource
  /** Replaces the secrets of a name, newest first. Omit it for a source that never changes. */
  set?(name: string, values: readonly string[]): MaybePromise<void>
  /** Makes the store unavailable or available. Omit it for a store that cannot fail. */
  reach?(reachable: boolean): MaybePromise<void>
  close?(): MaybePromise<void>
}

interface SecretSourceFixture {
  /** Creates a source of the given secrets, newest first. */
  open(secrets: Readonly<Record<string, readonly string[]>>): MaybePromise<SecretSourceUnderTest>
  /** Milliseconds since the epoch, as the source sees it. @default Date.now */
  readonly now?: () => number
}

const secrets = {
  doorbell: ['the secret of the doorbell', 'the one before'],
  mailbox: ['the secret of the mailbox'],
} as const
const all = Object.values(secrets).flat()

/**
 * Defines the conformance tests of secret sources.
 *
 * @example
 * ```ts
 * import { staticSecrets } from '@sallyport/webhooks'
 * import { testSecretSource } from '@sallyport/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testSecretSource({ describe, expect, it }, { open: (secrets) => ({ source: staticSecrets(secrets) }) })
 * ```
 */
export function testSecretSource({ describe, it, expect }: TestRunner, fixture: SecretSourceFixture): void {
  const now = fixture.now ?? Date.now

  function test(name: string, body: (opened: SecretSourceUnderTest) => Promise<void>): void {
    it(name, async () => {
      const opened = await fixture.open(secrets)
      try {
        await body(opened)
      } finally {
        await opened.close?.()
      }
    })
  }

  const lease = async (source: SecretSource, name: string) => await source.lease(name)

  /** Expects a rejection without a secret in the error. */
  async function rejects(source: SecretSource, name: string): Promise<void> {
    const told = await lease(source, name).then(
      () => undefined,
      (error: unknown) => String(error),
    )
    expect(told === undefined, `${name} was leased`).toBe(false)
    for (const secret of all) expect(told?.includes(secret), 'The failure contains a secret').toBe(false)
  }

  describe('secret source', () => {
    test('leases the secrets of each name, newest first', async ({ source }) => {
      for (const [name, values] of Object.entries(secrets)) {
        expect((await lease(source, name)).values).toEqual(values)
      }
    })

    test('returns a lease that expires in the future', async ({ source }) => {
      const { expiresAt = Infinity } = await lease(source, 'doorbell')
      expect(expiresAt > now()).toBe(true)
    })

    test('answers concurrent leases', async ({ source }) => {
      const leases = await Promise.all(Array.from({ length: 8 }, () => lease(source, 'doorbell')))
      for (const { values } of leases) expect(values).toEqual(secrets.doorbell)
    })

    test('rejects a name without a secret', async ({ source }) => {
      for (const name of ['letterbox', 'constructor', 'toString', 'doorbell2', '']) {
        await rejects(source, name)
      }
      expect((await lease(source, 'doorbell')).values).toEqual(secrets.doorbell)
    })

    test('leases the current secrets of the store', async (opened) => {
      const { source } = opened
      if (opened.set === undefined) return
      await lease(source, 'doorbell')
      await opened.set('doorbell', ['a new secret', ...secrets.doorbell])
      expect((await lease(source, 'doorbell')).values).toEqual(['a new secret', ...secrets.doorbell])
      await opened.set('doorbell', [])
      await rejects(source, 'doorbell')
      expect((await lease(source, 'mailbox')).values).toEqual(secrets.mailbox)
    })

    test('rejects only while the store is unavailable', async (opened) => {
      const { source } = opened
      if (opened.reach === undefined) return
      await opened.reach(false)
      await rejects(source, 'doorbell')
      await opened.reach(true)
      expect((await lease(source, 'doorbell')).values).toEqual(secrets.doorbell)
    })
  })
}
