import { describe, expect, it } from 'vitest'
import { createMessage, send } from '../../test/send.ts'
import { codehost } from './index.ts'

const toData = async (body: unknown) => (await send(codehost, body)).events[0]?.data
const announce = (body: unknown) => createMessage(codehost, body)

const pkg = (version: object = {}, change: object = {}, beside: object = {}) => ({
  action: 'published',
  package: {
    id: 3,
    name: 'pack',
    package_version: { id: 4, ...version },
    ...change,
  },
  ...beside,
})

describe('a package', () => {
  it('has the type and version from any of their fields', async () => {
    expect(await toData(pkg({ version: '1.0.0', name: 'v1' }))).toMatchObject({
      version: '1.0.0',
    })
    expect(await toData(pkg({ name: 'v1' }))).toMatchObject({
      version: 'v1',
      package_type: null,
    })
    expect(await toData(pkg({}, { ecosystem: 'NPM' }))).toMatchObject({
      package_type: 'npm',
    })
    expect(await toData(pkg({}, { ecosystem: 'NPM', package_type: 'docker' }))).toMatchObject({
      package_type: 'docker',
    })
  })

  it('links to its version, else to itself', async () => {
    expect(await toData(pkg({ html_url: 'v' }, { html_url: 'p' }))).toMatchObject({ url: 'v' })
    expect(await toData(pkg({}, { html_url: 'p' }))).toMatchObject({
      url: 'p',
    })
  })

  it('uses the first known time, of the version before the package', async () => {
    const [a, b, c, d] = [1, 2, 3, 4].map((day) => `2025-01-0${day}`)
    for (const [version, own, day] of [
      [{ created_at: a, updated_at: b }, { updated_at: c, created_at: d }, 1],
      [{ updated_at: b }, { updated_at: c, created_at: d }, 2],
      [{}, { updated_at: c, created_at: d }, 3],
      [{}, { created_at: d }, 4],
    ] as const)
      expect(await toData(pkg(version, own))).toMatchObject({
        published_at: `2025-01-0${day}T00:00:00.000Z`,
      })
  })

  it('belongs to a repository, an owner or neither', async () => {
    const owned = { owner: { login: 'alice' } }
    const beside = { repository: { full_name: 'o/r' } }
    const readSubject = async (body: unknown) => (await send(codehost, body)).events[0]?.subject
    expect(await readSubject(pkg({}, owned, beside))).toBe('o/r/packages/3')
    expect(await readSubject(pkg({}, owned))).toBe('alice/packages/3')
    expect(await readSubject(pkg())).toBe('packages/packages/3')
    expect((await announce(pkg({}, owned)))?.title).toBe('alice: pack 4 published')
    expect(await announce(pkg({}, { name: 'a\nb' }))).toMatchObject({
      title: 'Package: a b 4 published',
      text: 'A new version of the package package',
    })
  })

  it('is announced with its truncated tag, else its version', async () => {
    const tagged = {
      version: '1',
      container_metadata: { tag: { name: 'latest' } },
    }
    expect((await announce(pkg(tagged)))?.title).toBe('Package: pack latest published')
    expect((await announce(pkg({ version: '9'.repeat(41) })))?.title).toBe(
      `Package: pack ${'9'.repeat(39)}… published`,
    )
  })
})
