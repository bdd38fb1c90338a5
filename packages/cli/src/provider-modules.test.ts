import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from './program.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-cli-modules-'))
  const provider = (name: string) => `export default {
    name: '${name}',
    signature: { headers: ['x-signature'], verify() {}, sign: ({ body }, secret) => ({ 'x-signature': secret.length + ' ' + body.length }) },
    events: { 'bell.rung': {} },
    normalize() {},
  }`
  await writeFile(join(folder, 'doorbell.mjs'), provider('doorbell'))
  await writeFile(join(folder, 'again.mjs'), provider('doorbell'))
  await writeFile(join(folder, 'taken.mjs'), provider('codehost'))
  await writeFile(join(folder, 'unsigned.mjs'), provider('doorbell').replace('sign:', 'unsigned:'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs the program with provider modules and a server that accepts everything. */
async function sallyport(modules: readonly string[], ...args: readonly string[]) {
  const output: string[] = []
  const sent: [string, string | null][] = []
  const generic = { name: 'acme', scheme: 'hmac', header: 'x-signature', kind: { header: 'x-event' } }
  const names = modules.map((name) => join(folder, name)).join(',')
  const code = await run(args, '1.2.3', {
    env: {
      PROVIDER_MODULES: names,
      WEBHOOK_SECRET_DOORBELL: 'secret',
      WEBHOOK_SECRET_CODEHOST: 'secret',
      WEBHOOK_SECRET_ACME: 'secret',
      GENERIC_PROVIDERS: JSON.stringify([generic]),
    },
    stdin: (async function* () {
      yield await Promise.resolve(Buffer.from('{}'))
    })(),
    out: (line) => output.push(line),
    err: (line) => output.push(line),
    fetch: (input, init) => {
      const request = new Request(input, init)
      sent.push([request.url, request.headers.get('x-event') ?? request.headers.get('x-signature')])
      return Promise.resolve(Response.json({ data: { status: 'accepted', events: [] } }))
    },
    now: () => 0,
    sleep: () => Promise.resolve(),
    randomUUID: () => '00000000-0000-4000-8000-000000000000',
  })
  return { code, output: output.join('\n'), sent }
}

describe('send with PROVIDER_MODULES', () => {
  it('signs and sends for a provider of a module', async () => {
    const args = ['send', 'doorbell', 'bell.rung', '--url', 'http://localhost:1', '--payload', '-']
    expect(await sallyport(['doorbell.mjs'], ...args)).toMatchObject({
      code: 0,
      sent: [['http://localhost:1/webhooks/doorbell', '6 33']],
    })
  })

  it('signs and sends for a service of GENERIC_PROVIDERS', async () => {
    const args = ['send', 'acme', 'order.created', '--url', 'http://localhost:1', '--payload', '-']
    expect(await sallyport([], ...args)).toMatchObject({
      code: 0,
      sent: [['http://localhost:1/webhooks/acme', 'order.created']],
    })
  })

  it('lists the kinds of a module and asks for a payload', async () => {
    const unknown = await sallyport(['doorbell.mjs'], 'send', 'doorbell', 'x')
    expect(unknown).toMatchObject({
      code: 2,
      output: 'doorbell has no kind "x"\n  Known kinds: bell.rung',
    })
    expect((await sallyport(['doorbell.mjs'], 'send', 'doorbell', 'bell.rung')).output).toContain('--payload')
    expect((await sallyport(['doorbell.mjs'], 'send', 'unknown', 'x')).output).toMatch(
      /Known .*, doorbell, acme$/,
    )
  })

  it('reports a provider without a sign function', async () => {
    const args = ['send', 'doorbell', 'bell.rung', '--url', 'http://localhost:1', '--payload', '-']
    expect(await sallyport(['unsigned.mjs'], ...args)).toEqual({
      code: 2,
      output: 'The provider "doorbell" cannot sign deliveries\n  Its signature needs a function "sign"',
      sent: [],
    })
  })

  it('ignores broken modules for a built-in provider and for a provider of another module', async () => {
    const url = ['--url', 'http://localhost:1']
    const modules = ['missing.mjs', 'doorbell.mjs']
    const ours = await sallyport(modules, 'send', 'codehost', 'package.published', ...url)
    expect(ours).toMatchObject({ code: 0, sent: [['http://localhost:1/webhooks/codehost', null]] })
    const theirs = await sallyport(modules, 'send', 'doorbell', 'bell.rung', ...url, '--payload', '-')
    expect(theirs).toMatchObject({ code: 0, sent: [['http://localhost:1/webhooks/doorbell', '6 33']] })
  })

  it('uses a provider of a module that replaces a built-in one', async () => {
    const args = ['send', 'codehost', 'bell.rung', '--url', 'http://localhost:1', '--payload', '-']
    expect(await sallyport(['taken.mjs'], ...args)).toMatchObject({
      code: 0,
      sent: [['http://localhost:1/webhooks/codehost', '6 33']],
    })
  })

  it('reports a missing module and a duplicate name with the messages of the server', async () => {
    const missing = await sallyport(['missing.mjs'], 'send', 'doorbell', 'bell.rung')
    expect([missing.code, missing.sent]).toEqual([2, []])
    expect(missing.output).toMatch(/^PROVIDER_MODULES: ".*missing\.mjs" cannot be loaded: /)
    const twice = await sallyport(['doorbell.mjs', 'again.mjs'], 'send', 'doorbell', 'bell.rung')
    expect([twice.code, twice.output]).toEqual([
      2,
      'PROVIDER_MODULES: there is a provider "doorbell" already',
    ])
  })
})
