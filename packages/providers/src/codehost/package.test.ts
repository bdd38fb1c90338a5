import { describe, expect, it } from 'vitest'
import { messageOf, send } from '../../test/send.ts'
import { codehost } from './index.ts'

const dataOf = async (body: unknown) => (await send(codehost, body)).events[0]?.data
const told = (body: unknown) => messageOf(codehost, body)

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
  it('has the type and the name of its version wherever they stand', async () => {
    expect(await dataOf(pkg({ version: '1.0.0', name: 'v1' }))).toMatchObject({
      version: '1.0.0',
    })
    expect(await dataOf(pkg({ name: 'v1' }))).toMatchObject({
      version: 'v1',
      package_type: null,
    })
    expect(await dataOf(pkg({}, { ecosystem: 'NPM' }))).toMatchObject({
      package_type: 'npm',
    })
    expect(await dataOf(pkg({}, { ecosystem: 'NPM', package_type: 'docker' }))).toMatchObject({
      package_type: 'docker',
    })
  })

  it('is where its version is, else where it is itself', async () => {
    expect(await dataOf(pkg({ html_url: 'v' }, { html_url: 'p' }))).toMatchObject({ url: 'v' })
    expect(await dataOf(pkg({}, { html_url: 'p' }))).toMatchObject({
      url: 'p',
    })
  })

  it('was published at the first time that is known, the version’s own before the package’s', async () => {
    const [a, b, c, d] = [1, 2, 3, 4].map((day) => `2025-01-0${day}`)
    for (const [version, own, day] of [
      [{ created_at: a, updated_at: b }, { updated_at: c, created_at: d }, 1],
      [{ updated_at: b }, { updated_at: c, created_at: d }, 2],
      [{}, { updated_at: c, created_at: d }, 3],
      [{}, { created_at: d }, 4],
    ] as const)
      expect(await dataOf(pkg(version, own))).toMatchObject({
        published_at: `2025-01-0${day}T00:00:00.000Z`,
      })
  })

  it('belongs to a repository, to an owner, or to nobody that is known', async () => {
    const owned = { owner: { login: 'alice' } }
    const beside = { repository: { full_name: 'o/r' } }
    const subjectOf = async (body: unknown) => (await send(codehost, body)).events[0]?.subject
    expect(await subjectOf(pkg({}, owned, beside))).toBe('o/r/packages/3')
    expect(await subjectOf(pkg({}, owned))).toBe('alice/packages/3')
    expect(await subjectOf(pkg())).toBe('packages/packages/3')
    expect((await told(pkg({}, owned)))?.title).toBe('alice: pack 4 published')
    expect(await told(pkg({}, { name: 'a\nb' }))).toMatchObject({
      title: 'Package: a b 4 published',
      text: 'A new version of the package package',
    })
  })

  it('is told by its tag, else by its version, cut', async () => {
    const tagged = {
      version: '1',
      container_metadata: { tag: { name: 'latest' } },
    }
    expect((await told(pkg(tagged)))?.title).toBe('Package: pack latest published')
    expect((await told(pkg({ version: '9'.repeat(41) })))?.title).toBe(
      `Package: pack ${'9'.repeat(39)}… published`,
    )
  })
})
