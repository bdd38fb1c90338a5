import { describe, expect, it } from 'vitest'
import { createMessage, send } from '../../test/send.ts'
import { samples } from './codehost.samples.ts'
import { codehost } from './codehost.ts'

const sendAs = (body: unknown, event?: string) =>
  send(codehost, body, { headers: event === undefined ? {} : { 'x-github-event': event } })
const toData = async (body: unknown) => (await send(codehost, body)).events[0]?.data
const announce = (body: unknown) => createMessage(codehost, body)

const published = samples.sample('package.published').body
const pkg = (version: object | null = {}, change: object = {}, beside: object = {}) => ({
  action: 'published',
  package: { id: 3, name: 'pack', package_version: version && { id: 4, ...version }, ...change },
  ...beside,
})

describe('package.published', () => {
  it('has typed data in snake_case', async () => {
    const { events } = await sendAs(published, 'package')
    expect(events).toMatchObject([
      {
        id: 'codehost:package.published:24147',
        subject: 'Codertocat/hello-world-npm/packages/10696',
        ts: Date.parse('2019-05-09T23:28:29Z'),
      },
    ])
    expect(events[0]?.data).toMatchInlineSnapshot(`
      {
        "actor": "Codertocat",
        "install_command": "npm install @Codertocat/@1.0.0",
        "owner": "Codertocat",
        "package": "hello-world-npm",
        "package_id": "10696",
        "package_type": "npm",
        "published_at": "2019-05-09T23:28:29.000Z",
        "repository": "Codertocat/hello-world-npm",
        "sha": "6c62fb45fe66bfb1ea9a66abc38f6a0cc974292b",
        "tag": null,
        "url": "https://github.com/Codertocat/hello-world-npm/packages/10696?version=1.0.0",
        "version": "1.0.0",
        "version_id": "24147",
      }
    `)
    expect(await announce(published)).toMatchInlineSnapshot(`
      {
        "links": [
          {
            "label": "Package",
            "url": "https://github.com/Codertocat/hello-world-npm/packages/10696?version=1.0.0",
          },
        ],
        "severity": "info",
        "text": "A new version of the npm package by Codertocat from Codertocat/hello-world-npm
      npm install @Codertocat/@1.0.0",
        "title": "Codertocat/hello-world-npm: hello-world-npm 1.0.0 published",
      }
    `)
  })

  it('is the same event under both names', async () => {
    const { package: one, ...rest } = pkg()
    const [first] = (await sendAs(pkg(), 'package')).events
    const [second] = (await sendAs({ ...rest, registry_package: one }, 'registry_package')).events
    expect(second).toMatchObject({ id: first?.id, data: first?.data })
  })

  // Regression: an announcement of a version with another tag was a duplicate, and thus lost.
  it('is a new event for each tag of a version', async () => {
    const ids = ['1.2.0', 'latest', undefined].map(async (name) => {
      const [event] = (await sendAs(pkg({ container_metadata: { tag: { name } } }))).events
      return event?.id
    })
    expect(await Promise.all(ids)).toEqual(
      ['4:1.2.0', '4:latest', '4'].map((key) => `codehost:package.published:${key}`),
    )
  })

  it('ignores an updated package, and one without a version', async () => {
    expect((await sendAs({ ...pkg(), action: 'updated' }, 'package')).outcome).toBe('ignored')
    expect((await sendAs(pkg(null), 'package')).outcome).toBe('ignored')
  })

  it.each([undefined, { version: '1.0.0' }, 'v1'])('is quarantined with the version %j', async (version) => {
    expect((await sendAs(pkg({}, { package_version: version }), 'package')).outcome).toBe('quarantined')
  })

  it('has the type and version from any of their fields', async () => {
    expect(await toData(pkg({ version: '1.0.0', name: 'v1' }))).toMatchObject({ version: '1.0.0' })
    expect(await toData(pkg({ version: '', name: 'v1' }))).toMatchObject({
      version: 'v1',
      package_type: null,
    })
    expect(await toData(pkg({}, { ecosystem: 'NPM' }))).toMatchObject({ package_type: 'npm' })
    const both = { ecosystem: 'NPM', package_type: 'docker' }
    expect(await toData(pkg({}, both))).toMatchObject({ package_type: 'docker' })
  })

  it('links to its version, else to itself', async () => {
    expect(await toData(pkg({ html_url: 'v' }, { html_url: 'p' }))).toMatchObject({ url: 'v' })
    expect(await toData(pkg({}, { html_url: 'p' }))).toMatchObject({ url: 'p' })
  })

  it('has the first known time, of the version before the package', async () => {
    const [a, b, c, d] = [1, 2, 3, 4].map((day) => `2025-01-0${day}T00:00:00.000Z`)
    const own = { updated_at: c, created_at: d }
    expect(await toData(pkg({ created_at: a, updated_at: b }, own))).toMatchObject({ published_at: a })
    expect(await toData(pkg({ updated_at: b }, own))).toMatchObject({ published_at: b })
    expect(await toData(pkg({ created_at: '0001-01-01T00:00:00Z' }, own))).toMatchObject({ published_at: c })
    expect(await toData(pkg({}, { created_at: d }))).toMatchObject({ published_at: d })
    expect(await toData(pkg())).toMatchObject({ published_at: null })
  })

  it('belongs to a repository, an owner or neither', async () => {
    const owned = { owner: { login: 'alice' } }
    const readSubject = async (body: unknown) => (await sendAs(body)).events[0]?.subject
    const beside = { repository: { full_name: 'o/r' } }
    expect(await readSubject(pkg({}, owned, beside))).toBe('o/r/packages/3')
    expect(await readSubject(pkg({}, owned))).toBe('alice/packages/3')
    expect(await readSubject(pkg())).toBe('packages/packages/3')
    expect((await announce(pkg({}, owned)))?.title).toBe('alice: pack 4 published')
  })
})
