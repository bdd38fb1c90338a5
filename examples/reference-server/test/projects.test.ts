import { beforeAll, describe, expect, it } from 'vitest'
import { getProblems, type TestUser } from './api.ts'
import { describeApi } from './describe-api.ts'

describeApi((api) => {
  let owner: TestUser
  let other: TestUser
  beforeAll(async () => {
    owner = await api().user()
    other = await api().user()
  })

  const create = (json: object) => api().call('POST', '/projects', { json, token: owner.token })

  describe('a project', () => {
    it('is created with its owner, active and without a description by default', async () => {
      const plain = await create({ name: 'P' })
      expect(plain).toMatchObject({
        status: 201,
        data: { owner_id: owner.id, name: 'P', description: null, status: 'active' },
      })
      const described = await create({ name: 'Q', description: '', status: 'archived' })
      expect(described.data).toMatchObject({ description: '', status: 'archived' })
    })

    it('is replaced and patched by its owner and by admins', async () => {
      const { id } = (await create({ name: 'P', description: 'D', status: 'archived' })).data
      const path = `/projects/${id}`
      expect((await api().call('PATCH', path, { json: { name: 'Q' }, token: other.token })).status).toBe(403)
      expect((await api().call('DELETE', path, { token: other.token })).status).toBe(403)
      const patched = await api().call('PATCH', path, { json: { name: 'Q' }, token: owner.token })
      expect(patched.data).toMatchObject({ name: 'Q', description: 'D', status: 'archived' })
      // PUT resets omitted fields, except the status.
      const replaced = await api().call('PUT', path, { json: { name: 'R' }, token: api().admin.token })
      expect(replaced.data).toMatchObject({ name: 'R', description: null, status: 'archived' })
      expect((await api().call('DELETE', path, { token: owner.token })).status).toBe(204)
      expect((await api().call('GET', path, { token: owner.token })).status).toBe(404)
    })

    it('rejects null as its name', async () => {
      const answer = await create({ name: null })
      expect([answer.status, Object.keys(getProblems(answer))]).toEqual([400, ['name']])
    })

    it('is found by a search with selected fields', async () => {
      const { id } = (await create({ name: 'Needle', description: 'D' })).data
      const found = await api().call('GET', '/projects?search=needle&fields=id,name', { token: owner.token })
      expect([found.status, found.list]).toEqual([200, [{ id, name: 'Needle' }]])
    })

    it('keeps its owner', async () => {
      const { data } = await create({ name: 'P' })
      const path = `/projects/${data.id}`
      for (const [method, json] of [
        ['PATCH', { owner_id: other.id }],
        ['PUT', { name: 'P', owner_id: other.id }],
      ] as const) {
        const given = await api().call(method, path, { json, token: owner.token })
        expect([given.status, Object.keys(getProblems(given))]).toEqual([400, ['owner_id']])
      }
      expect((await api().call('GET', path, { token: owner.token })).data).toEqual(data)
    })
  })
})
