import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { run } from './program.ts'

/** Runs the program without input and without a network. */
async function sallyport(...args: readonly string[]) {
  const output = { out: [] as string[], err: [] as string[] }
  const code = await run(args, '1.2.3', {
    // A folder that does not exist.
    env: { SALLYPORT_CONFIG_DIR: join(import.meta.dirname, 'no-configuration') },
    stdin: (async function* () {})(),
    out: (line) => output.out.push(line),
    err: (line) => output.err.push(line),
    fetch: () => Promise.reject(new Error('The test allows no request')),
    now: () => 0,
    sleep: () => Promise.resolve(),
    randomUUID: () => '00000000-0000-4000-8000-000000000000',
  })
  return { code, out: output.out.join('\n'), err: output.err.join('\n') }
}

describe('usage', () => {
  it('lists the known providers and kinds after an unknown name', async () => {
    expect(await sallyport('send', 'unregistered', 'x.y')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^There is no provider "unregistered"\n {2}Known providers: .*codehost/,
      ) as string,
    })
    expect(await sallyport('send', 'githb', 'push')).toMatchObject({
      err: 'There is no provider "githb"\n  Did you mean github?',
    })
    expect(await sallyport('send', 'codehost', 'toString')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Known kinds: workflow_run.completed, package.published') as string,
    })
  })

  it('lists the kinds of a service without a kind', async () => {
    const { code, err } = await sallyport('send', 'github')
    expect([code, err]).toEqual([2, expect.stringMatching(/Known kinds: .*push/)])
  })

  it.each([
    [],
    ['send'],
    ['send', 'codehost'],
    ['unknown'],
    ['send', 'codehost', 'package.published', '--no'],
  ])('exits with 2 for the arguments %j %j %j %j', async (...args) => {
    const { code, out, err } = await sallyport(...args.filter((one) => typeof one === 'string'))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('help')
  })

  it.each([
    [['deliveries'], 'There is no login for http://localhost:3111'],
    [['replay', 'x', '--token', 'a\u001bb'], 'The access token has invalid characters'],
    [['replay'], 'The command needs a delivery or a filter'],
    [['replay', 'x', '--status', 'dead'], 'An id excludes filters'],
    [['deliveries', 'x', '--limit', '3'], 'An id excludes filters'],
    [['deliveries', '--status', 'lost'], "argument 'lost' is invalid"],
    [['deliveries', '--url', 'ftp://example.com', '--token', 'x'], '--url is not an http or https address'],
  ])('sends no request for %j', async (args, message) => {
    const { code, err } = await sallyport(...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  it('prints its help and version', async () => {
    const { code, out } = await sallyport('send', '--help')
    expect(code).toBe(0)
    expect(out).toContain('Usage: sallyport send [options] <provider> [kind]')
    expect(out).toContain('codehost: workflow_run.completed, package.published')
    expect(await sallyport('--version')).toEqual({ code: 0, out: '1.2.3', err: '' })
  })
})

it.each([
  [['send', 'strip'], 'stripe'],
  [['dev', 'githu'], 'github'],
  [['deliveries', '--min'], '--min-attempts'],
])('completes %j with %s', async (words, expected) => {
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => {
    printed.push(line)
  })
  await sallyport('complete', '--', ...words)
  log.mockRestore()
  expect(printed.map((line) => line.split('\t')[0])).toContain(expected)
})
