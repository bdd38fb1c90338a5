import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { startProblems } from './in-process.ts'
import { sendWorkflowRun, temporaryDirectory } from './server-process.ts'

it('prevents the start when it is invalid', async () => {
  await using folder = await temporaryDirectory()
  const path = join(folder.path, 'endpoints.yaml')
  await writeFile(path, 'endpoints: 7')
  const problems = await startProblems({ DATA_DIR: folder.path, ENDPOINTS_FILE: path })
  expect(problems).toEqual([expect.stringContaining('ENDPOINTS_FILE: endpoints: ')])
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
