import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { doorbell } from '../../test/doorbell.ts'
import type { AnyProvider } from '../index.ts'
import { openEndpointsFile } from './index.ts'
import type { EndpointsFileOptions } from './open-endpoints-file.ts'

/** A service that signs a time. */
const clock: AnyProvider = {
  ...doorbell,
  name: 'clock',
  signature: { ...doorbell.signature, hasTolerance: true },
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'endpoints-'))
})
afterEach(() => rm(folder, { recursive: true }))

const secrets = {
  whole: () => undefined,
  renew: (name: string) =>
    name === 'ENDPOINT_SECRET_BROKEN'
      ? Promise.reject(new Error('a private message'))
      : Promise.resolve({ values: name === 'ENDPOINT_SECRET_ACME' ? ['named secret'] : [] }),
}

/** Replaces the file, as a deployment does. */
async function write(text: string, name = 'endpoints.yaml'): Promise<string> {
  const path = join(folder, name)
  await writeFile(`${path}.next`, text)
  await rename(`${path}.next`, path)
  return path
}

const open = (path: string, options: Partial<EndpointsFileOptions> = {}) =>
  openEndpointsFile(path, { providers: [doorbell, clock], secrets, name: 'ENDPOINTS_FILE', ...options })

async function read(text: string, ids: readonly string[], name?: string) {
  const file = await open(await write(text, name))
  file.close()
  return ids.map((id) => file.find(id))
}

describe('file of endpoints', () => {
  it('is read as YAML, with secrets and names of secrets', async () => {
    const endpoints = await read(
      `
endpoints:
  - { id: acme, provider: doorbell, name: Acme, secrets: [first], secret_names: [ENDPOINT_SECRET_ACME] }
  - id: beta
    provider: doorbell
    status: disabled
    labels: { region: eu }
    options: { only: [push] }
`,
      ['acme', 'beta'],
    )
    expect(endpoints).toEqual([
      {
        ...{ id: 'acme', provider: 'doorbell', name: 'Acme', status: 'active', labels: {}, options: {} },
        secrets: ['first', 'named secret'],
      },
      {
        ...{ id: 'beta', provider: 'doorbell', status: 'disabled', labels: { region: 'eu' } },
        ...{ options: { only: ['push'] }, secrets: [] },
      },
    ])
  })

  it('lists its endpoints without their secrets', async () => {
    const file = await open(
      await write('endpoints: [{ id: acme, provider: doorbell, name: Acme, secrets: [private] }]'),
    )
    file.close()
    expect(file.declared()).toEqual([
      {
        ...{ id: 'acme', provider: 'doorbell', name: 'Acme', status: 'active', labels: {} },
        ...{ options: {}, secrets: 1 },
      },
    ])
  })

  it('sets the tolerance of a service that signs a time', async () => {
    const [endpoint] = await read(
      'endpoints: [{ id: acme, provider: clock, options: { tolerance_seconds: 600 } }]',
      ['acme'],
    )
    expect(endpoint?.options).toEqual({ toleranceSeconds: 600 })
  })

  it('is read as JSON', async () => {
    const text = '{"endpoints":[{"id":"acme","provider":"doorbell"}]}'
    expect(await read(text, ['acme', 'beta'], 'endpoints.json')).toMatchObject([{ id: 'acme' }, undefined])
  })

  const one = (fields: string) => `endpoints:\n  - { id: acme, provider: doorbell, ${fields} }\n`
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
    [one('options: { tolerance_seconds: 60 }'), 'tolerance_seconds: doorbell signs no time'],
    [one('secrets: [private, other, private]'), 'endpoints.0.secrets: A secret is given twice'],
    [one('secrets: ["private \\ud800"]'), 'endpoints.0.secrets.0: Must be well-formed Unicode'],
    [one('secret_names: [JWT_SECRET]'), 'Must begin with ENDPOINT_SECRET_'],
    [one('secret_names: [ENDPOINT_SECRET_LOST]'), 'ENDPOINT_SECRET_LOST is missing or unreadable'],
    [one('secret_names: [ENDPOINT_SECRET_BROKEN]'), 'ENDPOINT_SECRET_BROKEN is missing or unreadable'],
    ['endpoints: [{ id: a/b, provider: doorbell }]', 'endpoints.0.id: '],
    ['endpoints: [{ id: 7, provider: doorbell }]', 'endpoints.0.id: '],
    ['endpoints: [{ id: a, provider: unknown }]', 'endpoints.0.provider: Is not a registered provider'],
    [
      'endpoints: [{ id: a, provider: doorbell }, { id: a, provider: doorbell }]',
      'endpoints.1.id: Is declared twice',
    ],
  ])('has a problem that quotes no secret: %j', async (text, problem) => {
    const { message } = (await read(text, []).catch((error: unknown) => error as Error)) as Error
    expect(message).toContain(problem)
    expect(message).not.toContain('private')
  })

  it('is refused with more than 10,000 endpoints', async () => {
    const endpoints = Array.from({ length: 10_001 }, (_, id) => ({ id: `e${id}`, provider: 'doorbell' }))
    await expect(read(JSON.stringify({ endpoints }), [], 'endpoints.json')).rejects.toThrow(
      'ENDPOINTS_FILE: endpoints: ',
    )
  })
})

it('follows valid changes, and keeps the last valid endpoints otherwise', async () => {
  const declare = (secret: string) => `endpoints: [{ id: acme, provider: doorbell, secrets: [${secret}] }]`
  const path = await write(declare('private-one'))
  const changes: number[] = []
  const errors: string[] = []
  const file = await open(path, {
    intervalMs: 5,
    onChange: (count) => changes.push(count),
    onError: ({ message }) => errors.push(message),
  })
  try {
    await write('endpoints: [private-two')
    await expect.poll(() => errors.join('\n')).toContain('ENDPOINTS_FILE is not YAML')
    expect(file.find('acme')?.secrets).toEqual(['private-one'])
    expect(file.notices().join('\n')).toContain('its last valid endpoints stay in use')

    await write(declare('private-three'))
    await expect.poll(() => changes).toEqual([1])
    expect(file.find('acme')?.secrets).toEqual(['private-three'])
    expect(file.notices()).toEqual([])
    expect(errors.join('\n')).not.toContain('private')
  } finally {
    file.close()
  }
})
