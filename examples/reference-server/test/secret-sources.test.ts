import { type SecretSourceUnderTest, testSecretSource } from '@sallyport/testing'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { commandTimeoutMs, secretsFromCommand } from '../src/config/secrets-command.ts'
import { givenSecrets, webhookSecretName } from '../src/config/secrets.ts'
import { leaseWebhookSecrets, webhookSecretSource } from '../src/config/webhook-secrets.ts'
import { temporaryDirectory } from './server-process.ts'

type Secrets = Readonly<Record<string, readonly string[]>>

describe('the environment', () => {
  testSecretSource(
    { describe, expect, it },
    {
      open(secrets) {
        const variables = Object.entries(secrets).map(([name, values]) => [
          webhookSecretName(name),
          values.join(', '),
        ])
        const store = givenSecrets(Object.fromEntries(variables) as Record<string, string>, undefined)
        return { source: webhookSecretSource(store, Date.now) }
      },
    },
  )
})

describe('a folder', () => {
  testSecretSource(
    { describe, expect, it },
    {
      open: (secrets) =>
        openFolder(secrets, (folder) => webhookSecretSource(givenSecrets({}, folder), Date.now)),
    },
  )
})

describe('a command', () => {
  testSecretSource(
    { describe, expect, it },
    {
      async open(secrets) {
        const opened = await openFolder(secrets, (folder) => {
          const script = `test -d ${folder} || exit 1; test ! -e ${folder}/"$1" || cat ${folder}/"$1"`
          const store = secretsFromCommand({
            command: `sh -c '${script}' store`,
            leaseMs: 60_000,
            environment: { PATH: process.env['PATH'] },
          })
          return webhookSecretSource(store, Date.now)
        })
        return {
          ...opened,
          reach: (reachable) =>
            rename(
              reachable ? `${opened.folder}-away` : opened.folder,
              reachable ? opened.folder : `${opened.folder}-away`,
            ),
        }
      },
    },
  )
})

describe('a store that uses the whole timeout of the command', () => {
  it('is awaited', async () => {
    vi.useFakeTimers()
    try {
      const changes: string[] = []
      const renew = () =>
        new Promise<{ values: readonly string[] }>((resolve) => {
          setTimeout(resolve, commandTimeoutMs, { values: ['s'] })
        })
      const leasing = leaseWebhookSecrets({
        store: { ...givenSecrets({}, undefined), renew },
        providers: ['doorbell'],
        onChange: (text) => changes.push(text),
      })
      await vi.advanceTimersByTimeAsync(commandTimeoutMs)
      const secrets = await leasing
      expect(secrets.keeper.getState('doorbell')).toBe('current')
      expect(changes).toEqual([])
      secrets.close()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a store that may have no secret of a provider', () => {
  it('is read with back-off up to a minute, until it returns a secret', async () => {
    vi.useFakeTimers({ now: 0 })
    try {
      const asked: number[] = []
      let values: readonly string[] = []
      const secrets = await leaseWebhookSecrets({
        store: {
          ...givenSecrets({}, undefined),
          renew: () => {
            asked.push(Date.now() / 1000)
            return values.length > 0 ? Promise.resolve({ values }) : Promise.reject(new Error('exit code 1'))
          },
        },
        providers: ['doorbell'],
        undecided: ['doorbell'],
        onChange: () => undefined,
      })
      await vi.advanceTimersByTimeAsync(250_000)
      expect(asked).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
      expect(secrets.notices()).toEqual([
        'The secret of doorbell is unavailable: its deliveries are answered with 503. If it has no secret, list your providers in PROVIDERS',
      ])
      values = ['s']
      await vi.advanceTimersByTimeAsync(60_000)
      expect([secrets.keeper.getState('doorbell'), secrets.notices()]).toEqual(['current', []])
      secrets.close()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a clock that is set back', () => {
  it('does not delay the next read of a store', async () => {
    // A provider was answered 503 for as long as the clock had been set back.
    vi.useFakeTimers({ now: 10_000_000 })
    try {
      let away = true
      const secrets = await leaseWebhookSecrets({
        store: {
          ...givenSecrets({}, undefined),
          renew: () => (away ? Promise.reject(new Error('away')) : Promise.resolve({ values: ['s'] })),
        },
        providers: ['doorbell', 'tasks'],
        undecided: ['doorbell'],
        onChange: () => undefined,
      })
      vi.setSystemTime(0)
      away = false
      await vi.advanceTimersByTimeAsync(5000)
      expect(['doorbell', 'tasks'].map((name) => secrets.keeper.getState(name))).toEqual([
        'current',
        'current',
      ])
      secrets.close()
    } finally {
      vi.useRealTimers()
    }
  })
})

/** A store with one file per secret. */
async function openFolder(
  secrets: Secrets,
  sourceOf: (folder: string) => SecretSourceUnderTest['source'],
): Promise<SecretSourceUnderTest & { readonly folder: string }> {
  const directory = await temporaryDirectory()
  const folder = join(directory.path, 'secrets')
  await mkdir(folder)
  const getFile = (name: string) => join(folder, webhookSecretName(name))
  const set = async (name: string, values: readonly string[]) => {
    if (values.length === 0) return rm(getFile(name))
    await writeFile(getFile(name), `${values.join('\n')}\n`)
    await chmod(getFile(name), 0o600)
  }
  for (const [name, values] of Object.entries(secrets)) await set(name, values)
  return {
    folder,
    source: sourceOf(folder),
    set,
    async close() {
      await directory[Symbol.asyncDispose]()
    },
  }
}
