import { beforeAll, describe, expect, it } from 'vitest'
import { getProblems, unknownId, type TestUser } from './api.ts'
import { describeApi } from './describe-api.ts'

describeApi((api) => {
  let owner: TestUser
  let assignee: TestUser
  let other: TestUser
  let tasks: string
  beforeAll(async () => {
    owner = await api().user()
    assignee = await api().user()
    other = await api().user()
    tasks = `/projects/${await newProject()}/tasks`
  })

  const newProject = async () =>
    (await api().call('POST', '/projects', { json: { name: 'P' }, token: owner.token })).data.id
  const create = (json: object, token = owner.token) => api().call('POST', tasks, { json, token })

  describe('a task', () => {
    it('is created under a project by its owner and by admins, open by default', async () => {
      const answer = await create({ title: 'T' })
      expect(answer).toMatchObject({
        status: 201,
        data: { title: 'T', description: null, assignee_id: null, due_on: null, status: 'open' },
      })
      expect(answer.headers.get('location')).toBe(`/api/v1${tasks}/${answer.data.id}`)
      const full = {
        title: 'U',
        description: 'D',
        assignee_id: assignee.id,
        due_on: '2028-02-29',
        status: 'done',
      }
      expect(await create(full, api().admin.token)).toMatchObject({ status: 201, data: full })
      expect((await create({ title: 'V' }, other.token)).status).toBe(403)
      const nowhere = await api().call('POST', `/projects/${unknownId}/tasks`, {
        json: { title: 'W' },
        token: other.token,
      })
      expect(nowhere.status).toBe(404)
    })

    it('limits the length of its fields', async () => {
      const answer = await create({
        title: '',
        description: 'x'.repeat(2001),
        assignee_id: 'nobody',
        due_on: '2027-02-29',
        status: 'late',
      })
      expect(Object.keys(getProblems(answer)).sort()).toEqual([
        'assignee_id',
        'description',
        'due_on',
        'status',
        'title',
      ])
    })

    it('is assigned to existing users only', async () => {
      const { id } = (await create({ title: 'T' })).data
      const json = { title: 'T', assignee_id: unknownId }
      for (const answer of [
        await create(json),
        await api().call('PUT', `${tasks}/${id}`, { json, token: owner.token }),
        await api().call('PATCH', `${tasks}/${id}`, { json, token: owner.token }),
      ]) {
        expect([answer.status, Object.keys(getProblems(answer))]).toEqual([400, ['assignee_id']])
      }
      // A refusal that is kept for its key says as much.
      const headers = { 'idempotency-key': 'assigned-to-nobody' }
      for (let time = 0; time < 2; time++) {
        const kept = await api().call('POST', tasks, { json, token: owner.token, headers })
        expect([kept.status, Object.keys(getProblems(kept))]).toEqual([400, ['assignee_id']])
      }
      const written = { assignee_id: assignee.id.toUpperCase() }
      const assigned = await api().call('PATCH', `${tasks}/${id}`, { json: written, token: owner.token })
      expect(assigned.data['assignee_id']).toBe(assignee.id)
    })

    it('gets all problems of read-only fields together', async () => {
      const { id } = (await create({ title: 'T' })).data
      const json = { id: unknownId, project_id: unknownId, assignee_id: unknownId, title: 'U' }
      for (const method of ['PUT', 'PATCH']) {
        const answer = await api().call(method, `${tasks}/${id}`, { json, token: owner.token })
        expect([answer.status, Object.keys(getProblems(answer)).sort()]).toEqual([
          400,
          ['assignee_id', 'id', 'project_id'],
        ])
      }
    })

    it('is changed but not deleted by its assignee', async () => {
      const { id } = (await create({ title: 'T', assignee_id: assignee.id })).data
      const path = `${tasks}/${id}`
      const json = { status: 'in_progress' }
      expect((await api().call('PATCH', path, { json, token: other.token })).status).toBe(403)
      const started = await api().call('PATCH', path, { json, token: assignee.token })
      expect(started).toMatchObject({
        status: 200,
        data: { status: 'in_progress', assignee_id: assignee.id },
      })
      expect((await api().call('DELETE', path, { token: assignee.token })).status).toBe(403)
      const handed = await api().call('PUT', path, { json: { title: 'T' }, token: assignee.token })
      expect(handed).toMatchObject({ status: 200, data: { assignee_id: null, status: 'in_progress' } })
      expect((await api().call('PATCH', path, { json, token: assignee.token })).status).toBe(403)
      expect((await api().call('DELETE', path, { token: owner.token })).status).toBe(204)
    })

    it('keeps its project', async () => {
      const { id } = (await create({ title: 'T' })).data
      const elsewhere = await newProject()
      const moved = await api().call('PATCH', `${tasks}/${id}`, {
        json: { project_id: elsewhere },
        token: owner.token,
      })
      expect([moved.status, Object.keys(getProblems(moved))]).toEqual([400, ['project_id']])
      for (const method of ['GET', 'DELETE']) {
        const answer = await api().call(method, `/projects/${elsewhere}/tasks/${id}`, { token: owner.token })
        expect(answer.status).toBe(404)
      }
    })

    it('is deleted with its project', async () => {
      const project = await newProject()
      const path = `/projects/${project}/tasks`
      const { id } = (await api().call('POST', path, { json: { title: 'T' }, token: owner.token })).data
      await api().call('DELETE', `/projects/${project}`, { token: owner.token })
      for (const gone of [path, `${path}/${id}`]) {
        expect((await api().call('GET', gone, { token: owner.token })).status).toBe(404)
      }
    })
  })
})
