import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandSecrets } from './command.ts'
import { withFallback } from './store.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sallyport-secrets-'))
})
afterAll(() => rm(directory, { recursive: true }))

let scripts = 0
async function command(script: string): Promise<string> {
  const path = join(directory, `store-${++scripts}`)
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o700)
  return path
}

async function store(script: string, timeoutMs = 10_000) {
  const environment = { PATH: process.env['PATH'], FROM_OUTSIDE: 'seen' }
  return commandSecrets({ command: await command(script), leaseMs: 1000, environment, timeoutMs })
}

describe('a store that a command reads', () => {
  it('gets the name as one argument, and prints one secret per line', async () => {
    const secrets = await store('printf "%s\\n%s\\n" "$#-$1" "$FROM_OUTSIDE"')
    expect(secrets.all('A')).toEqual(['1-A', 'seen'])
    expect(await secrets.renew('$(id);B')).toEqual({ values: ['1-$(id);B', 'seen'], leaseMs: 1000 })
  })

  it('does not split a secret without rotation', async () => {
    const secrets = await store('echo " a password, with a comma "')
    expect(secrets.one('ADMIN_PASSWORD')).toBe(' a password, with a comma ')
  })

  it('distinguishes a missing secret from a failing store, without quotes', async () => {
    const empty = await store('exit 0')
    expect([empty.all('A'), empty.one('A'), empty.failure('A')]).toEqual([[], undefined, undefined])
    const broken = await store('echo hunter2; echo hunter2 >&2; exit 3')
    expect(broken.all('A')).toEqual([])
    expect(broken.failure('A')).toBe('The command failed for A: it ended with exit code 3')
    await expect(broken.renew('A')).rejects.toThrow(/^The command failed: it ended with exit code 3$/)
  })

  it('treats an exit code of the command, but not of the shell, as an answer', async () => {
    // Regression: exit code 128, as of "git show", counted as a failure, and the provider stayed unavailable.
    const denied = async (code: number) => {
      const one = await store(`[ "$1" = GIVEN ] && echo given || exit ${code}`)
      return one.all('GIVEN').length === 1 && one.denies('A')
    }
    expect(await Promise.all([1, 125, 128, 193, 255].map(denied))).toEqual([true, true, true, true, true])
    expect(await Promise.all([126, 127, 129, 137, 192].map(denied))).not.toContain(true)
  })

  it('rejects bytes that are not text, without quotes', async () => {
    const random = await store("printf 'hunter2\\376\\377'")
    const why = 'its output is not text in UTF-8: use text, such as the output of "openssl rand -hex 32"'
    expect([random.all('A'), random.fault('A')]).toEqual([[], `The command failed for A: ${why}`])
    await expect(random.renew('A')).rejects.toThrow(`The command failed: ${why}`)
    expect((await store('exit 3')).fault('A')).toBeUndefined()
  })

  it('fails on a timeout and on too much output', async () => {
    const slow = await store('sleep 60 & wait', 300)
    expect(slow.failure('A')).toMatch(/it took too long$/)
    await expect(slow.renew('A')).rejects.toThrow(/it took too long$/)
    const loud = await store('while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done')
    expect(loud.all('A')).toEqual([])
    await expect(loud.renew('A')).rejects.toThrow(/it printed too much$/)
  })

  it('is overridden by a fallback that has the secret', async () => {
    const fallback = await store('echo second')
    expect(await withFallback(await store('exit 1'), fallback).renew('A')).toMatchObject({
      values: ['second'],
    })
    expect(await withFallback(await store('exit 0'), fallback).renew('A')).toMatchObject({
      values: ['second'],
    })
    expect(await withFallback(await store('echo first'), fallback).renew('A')).toMatchObject({
      values: ['first'],
    })
    const empty = withFallback(await store('exit 1'), await store('exit 0'))
    await expect(empty.renew('A')).rejects.toThrow(/exit code 1/)
  })
})
