import { describe, expect, it } from 'vitest'
import { run } from './program.ts'

/** Runs the program where nothing can be read and nothing sent. */
async function sallyport(...args: readonly string[]) {
  const output = { out: [] as string[], err: [] as string[] }
  const code = await run(args, '1.2.3', {
    env: {},
    stdin: (async function* () {})(),
    out: (line) => output.out.push(line),
    err: (line) => output.err.push(line),
    fetch: () => Promise.reject(new Error('Nothing is sent')),
    now: () => 0,
    randomUUID: () => '00000000-0000-4000-8000-000000000000',
  })
  return { code, out: output.out.join('\n'), err: output.err.join('\n') }
}

describe('usage', () => {
  it('lists what is known to who names what is not', async () => {
    expect(await sallyport('send', 'nobody', 'x.y')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^There is no provider "nobody"\n {2}Known providers: .*codehost/) as string,
    })
    expect(await sallyport('send', 'codehost', 'toString')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Known kinds: workflow_run.completed, package.published') as string,
    })
  })

  it.each([
    [],
    ['send'],
    ['send', 'codehost'],
    ['unknown'],
    ['send', 'codehost', 'package.published', '--no'],
  ])('answers %j %j %j %j with 2', async (...args) => {
    const { code, out, err } = await sallyport(...args.filter((one) => typeof one === 'string'))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('help')
  })

  it.each([
    [['deliveries'], 'There is no access token'],
    [['replay', 'x', '--token', 'a\u001bb'], 'The access token holds what none can hold'],
    [['replay'], 'It is not said what to replay'],
    [['replay', 'x', '--status', 'dead'], 'One delivery is not filtered'],
    [['deliveries', 'x', '--limit', '3'], 'One delivery is not filtered'],
    [['deliveries', '--status', 'lost'], "argument 'lost' is invalid"],
    [['deliveries', '--url', 'ftp://example.com', '--token', 'x'], '--url is not an http or https address'],
  ])('asks nothing with %j', async (args, message) => {
    const { code, err } = await sallyport(...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  it('explains itself', async () => {
    const { code, out } = await sallyport('send', '--help')
    expect(code).toBe(0)
    expect(out).toContain('Usage: sallyport send [options] <provider> <kind>')
    expect(out).toContain('codehost: workflow_run.completed, package.published')
    expect(await sallyport('--version')).toEqual({ code: 0, out: '1.2.3', err: '' })
  })
})
