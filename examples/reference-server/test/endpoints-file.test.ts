import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codehost } from '@sallyport/providers/codehost'
import { stripe } from '@sallyport/providers/stripe'
import { describe, expect, it } from 'vitest'
import { readEndpointsFile } from '../src/endpoints/endpoints-file.ts'
import { startApi, type TestApi } from './api.ts'
import { startProblems } from './in-process.ts'
import { sendWorkflowRun, temporaryDirectory } from './server-process.ts'

const secrets = {
  whole: () => undefined,
  renew: (name: string) =>
    name === 'ENDPOINT_SECRET_BROKEN'
      ? Promise.reject(new Error('a private message'))
      : Promise.resolve({ values: name === 'ENDPOINT_SECRET_ACME' ? ['named secret'] : [] }),
}

async function read(text: string, name = 'endpoints.yaml') {
  await using folder = await temporaryDirectory()
  const path = join(folder.path, name)
  await writeFile(path, text)
  return await readEndpointsFile({ path, providers: [codehost, stripe], secrets })
}

describe('file of endpoints', () => {
  it('is read as YAML, with secrets and names of secrets', async () => {
    const { endpoints } = await read(`
endpoints:
  - { id: acme, provider: codehost, name: Acme, secrets: [first], secret_names: [ENDPOINT_SECRET_ACME] }
  - id: beta
    provider: codehost
    status: disabled
    options: { only: [push] }
`)
    expect([...(endpoints ?? [])].map(([, endpoint]) => endpoint)).toEqual([
      { id: 'acme', provider: 'codehost', status: 'active', options: {}, secrets: ['first', 'named secret'] },
      { id: 'beta', provider: 'codehost', status: 'disabled', options: { only: ['push'] }, secrets: [] },
    ])
  })

  it('sets the tolerance of a service that signs a time', async () => {
    const { endpoints } = await read(
      'endpoints: [{ id: acme, provider: stripe, options: { tolerance_seconds: 600 } }]',
    )
    expect(endpoints?.get('acme')?.options).toEqual({ toleranceSeconds: 600 })
  })

  it('is read as JSON', async () => {
    const { endpoints } = await read('{"endpoints":[{"id":"acme","provider":"codehost"}]}', 'endpoints.json')
    expect([...(endpoints?.keys() ?? [])]).toEqual(['acme'])
  })

  const one = (fields: string) => `endpoints:\n  - { id: acme, provider: codehost, ${fields} }\n`
  it.each([
    ['', 'ENDPOINTS_FILE: Invalid input'],
    ['endpoints: [', 'is not YAML: BAD_'],
    ['endpoints: &a [*a', 'ENDPOINTS_FILE'],
    ['endpoints: 7', 'ENDPOINTS_FILE: endpoints: '],
    [one('secrets: private'), 'endpoints.0.secrets: '],
    [one('secrets: [7]'), 'endpoints.0.secrets.0: '],
    [one('id: other'), 'is not YAML: DUPLICATE_KEY in line 2'],
    [one('status: paused'), 'endpoints.0.status: '],
    [one('unknown: private'), 'ENDPOINTS_FILE: endpoints.0: '],
    [one('options: { only: ["a b"] }'), 'endpoints.0.options.only.0: '],
    [one('options: { tolerance_seconds: 0 }'), 'endpoints.0.options.tolerance_seconds: '],
    [one('options: { tolerance_seconds: 60 }'), 'tolerance_seconds: codehost signs no time'],
    [one('secrets: [private, other, private]'), 'endpoints.0.secrets: A secret is given twice'],
    [one('secrets: ["private \\ud800"]'), 'endpoints.0.secrets.0: Must be well-formed Unicode'],
    [one('secret_names: [JWT_SECRET]'), 'Must begin with ENDPOINT_SECRET_'],
    [one('secret_names: [ENDPOINT_SECRET_LOST]'), 'ENDPOINT_SECRET_LOST is missing or unreadable'],
    [one('secret_names: [ENDPOINT_SECRET_BROKEN]'), 'ENDPOINT_SECRET_BROKEN is missing or unreadable'],
    ['endpoints: [{ id: a/b, provider: codehost }]', 'endpoints.0.id: '],
    ['endpoints: [{ id: 7, provider: codehost }]', 'endpoints.0.id: '],
    ['endpoints: [{ id: a, provider: unknown }]', 'endpoints.0.provider: Is not a registered provider'],
    [
      'endpoints: [{ id: a, provider: codehost }, { id: a, provider: codehost }]',
      'endpoints.1.id: Is declared twice',
    ],
  ])('has a problem that quotes no secret: %j', async (text, problem) => {
    const { problems = [] } = await read(text)
    expect(problems.join('\n')).toContain(problem)
    expect(problems.join('\n')).not.toContain('private')
  })

  it('is refused with more than 10,000 endpoints', async () => {
    const endpoints = Array.from({ length: 10_001 }, (_, id) => ({ id: `e${id}`, provider: 'codehost' }))
    const { problems } = await read(JSON.stringify({ endpoints }), 'endpoints.json')
    expect(problems).toEqual([expect.stringContaining('ENDPOINTS_FILE: endpoints: ')])
  })

  it('prevents the start when it is invalid', async () => {
    await using folder = await temporaryDirectory()
    const path = join(folder.path, 'endpoints.yaml')
    await writeFile(path, 'endpoints: 7')
    const problems = await startProblems({ DATA_DIR: folder.path, ENDPOINTS_FILE: path })
    expect(problems).toEqual([expect.stringContaining('ENDPOINTS_FILE: endpoints: ')])
  })
})

async function deliver({ base }: TestApi, endpoint: string, secret: string, id: number) {
  const payload = { type: 'workflow_run.completed', payload: { id } }
  return (await sendWorkflowRun(base, secret, payload, { path: `/webhooks/codehost/${endpoint}` })).status
}

describe('server with a file of endpoints', () => {
  it('follows valid changes, and keeps the last valid endpoints otherwise', async () => {
    await using folder = await temporaryDirectory()
    const path = join(folder.path, 'endpoints.yaml')
    const write = async (text: string) => {
      await writeFile(`${path}.next`, text)
      await rename(`${path}.next`, path)
    }
    const declare = (secret: string) => `endpoints: [{ id: acme, provider: codehost, secrets: [${secret}] }]`
    await write(declare('secret-one'))
    const lines: string[] = []
    await using api = await startApi({ ENDPOINTS_FILE: path }, undefined, (line) => lines.push(line))
    expect(await deliver(api, 'acme', 'secret-one', 1)).toBe(200)
    expect(await deliver(api, 'other', 'secret-one', 1)).toBe(404)

    await write('endpoints: [secret-two')
    await expect.poll(() => lines.join(''), { timeout: 10_000 }).toContain('ENDPOINTS_FILE has problems')
    expect(await deliver(api, 'acme', 'secret-one', 2)).toBe(200)

    await write(declare('secret-two'))
    await expect.poll(() => lines.join(''), { timeout: 10_000 }).toContain('ENDPOINTS_FILE has changed')
    expect(await deliver(api, 'acme', 'secret-two', 3)).toBe(200)
    expect(await deliver(api, 'acme', 'secret-one', 4)).toBe(401)
    expect(lines.join('')).not.toMatch(/secret-(one|two)/)

    const json = { id: 'acme', provider: 'codehost', name: 'Another' }
    const created = await api.call('POST', '/endpoints', { token: api.admin.token, json })
    expect(created.error).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('ENDPOINTS_FILE') as string,
    })
  })
})
