import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startInProcess, startProblems } from './in-process.ts'
import { temporaryDirectory } from './server-process.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
const at = (...names: string[]) => join(directory.path, ...names)

/** A provider as a stranger's module may hold it, made without this repository's source. */
const source = (name: string) => `{
  name: ${JSON.stringify(name)},
  signature: {
    headers: ['x-signature'],
    verify({ headers, body }, secrets) {
      const matches = secrets.some((secret) => createHmac('sha256', secret).update(body).digest('hex') === headers.get('x-signature'))
      return matches ? { verified: true, body } : { verified: false, reason: 'mismatch' }
    },
    sign: ({ body }, secret) => ({ 'x-signature': createHmac('sha256', secret).update(body).digest('hex') }),
  },
  events: { 'bell.rung': { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } } },
  normalize: ({ payload }) => ({ kind: 'bell.rung', key: [payload.id], subject: 'door', data: payload }),
}`

beforeAll(async () => {
  directory = await temporaryDirectory()
  const module = (exported: string) =>
    `import { createHmac } from 'node:crypto'\nexport default ${exported}\n`
  await writeFile(at('one.mjs'), module(source('doorbell')))
  await writeFile(at('wrong.mjs'), module('{ name: "doorbell" }'))
  for (const name of ['taken.mjs', 'again.mjs']) await writeFile(at(name), module(source('codehost')))
})
afterAll(() => directory[Symbol.asyncDispose]())

describe('modules with providers', () => {
  it('serve the providers that PROVIDERS names', async () => {
    await using server = await startInProcess({
      DATA_DIR: at('data'),
      LOG_LEVEL: 'silent',
      PROVIDER_MODULES: at('one.mjs'),
      PROVIDERS: 'codehost,doorbell',
      WEBHOOK_SECRET_DOORBELL: 'of the bell',
    })
    expect(await (await fetch(server.base)).json()).toMatchObject({
      webhooks: { providers: ['codehost', 'doorbell'] },
    })
    const body = '{"id":"ring 1"}'
    const signature = createHmac('sha256', 'of the bell').update(body).digest('hex')
    const answers = []
    for (const sent of [signature, signature, 'forged']) {
      const headers = { 'x-signature': sent }
      const response = await fetch(`${server.base}/webhooks/doorbell`, { method: 'POST', body, headers })
      const { data } = (await response.json()) as { data?: { status: string } }
      answers.push([response.status, data?.status])
    }
    expect(answers).toEqual([
      [200, 'accepted'],
      [200, 'duplicate'],
      [401, undefined],
    ])
  })

  it('may use another version of zod', async () => {
    const zod = import.meta.resolve('zod')
    const name = `z.config().postProcessor === undefined ? 'doorbell' : 'compiled'`
    const written = source('doorbell').replace('name: "doorbell"', `name: ${name}`)
    await writeFile(
      at('zod.mjs'),
      `import { createHmac } from 'node:crypto'\nimport { z } from '${zod}'\nexport default ${written}\n`,
    )
    await using server = await startInProcess({
      DATA_DIR: at('data'),
      LOG_LEVEL: 'silent',
      PROVIDER_MODULES: at('zod.mjs'),
      PROVIDERS: 'doorbell',
      WEBHOOK_SECRET_DOORBELL: 'of the bell',
    })
    expect(await (await fetch(server.base)).json()).toMatchObject({ webhooks: { providers: ['doorbell'] } })
  })

  it('prevent the start when a module exports no provider', async () => {
    const path = at('wrong.mjs')
    expect(await startProblems({ DATA_DIR: at('never'), PROVIDER_MODULES: path })).toEqual([
      `PROVIDER_MODULES: the default export of "${path}" is not a provider or an array of providers`,
    ])
  })

  it('replace a built-in provider of the same name, and the start says so', async () => {
    await using server = await startInProcess({
      DATA_DIR: at('data'),
      PROVIDER_MODULES: at('taken.mjs'),
      WEBHOOK_SECRET_CODEHOST: 'of the bell',
    })
    const body = '{"id":"ring 2"}'
    const headers = { 'x-signature': createHmac('sha256', 'of the bell').update(body).digest('hex') }
    const response = await fetch(`${server.base}/webhooks/codehost`, { method: 'POST', body, headers })
    expect(await response.json()).toMatchObject({ data: { events: [{ name: 'codehost/bell.rung' }] } })
    expect(server.output()).toContain('codehost: PROVIDER_MODULES replaces the built-in provider')
  })

  it('prevent the start when two modules have a provider of the same name', async () => {
    const PROVIDER_MODULES = `${at('taken.mjs')},${at('again.mjs')}`
    expect(await startProblems({ DATA_DIR: at('never'), PROVIDER_MODULES })).toEqual([
      'PROVIDER_MODULES: there is a provider "codehost" already',
    ])
  })
})
