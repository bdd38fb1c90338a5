import { beforeAll, describe, expect, it } from 'vitest'
import { getProblems, unknownId, type TestUser } from './api.ts'
import { describeApi } from './describe-api.ts'

describeApi((api) => {
  let poster: TestUser
  let commenter: TestUser
  let post: string
  beforeAll(async () => {
    poster = await api().user()
    commenter = await api().user()
    post = await newPost()
  })

  const newPost = async () =>
    (await api().call('POST', '/posts', { json: { title: 'T', body: 'B' }, token: poster.token })).data.id
  const write = (body: string, under = post) =>
    api().call('POST', `/posts/${under}/comments`, { json: { body }, token: commenter.token })

  describe('a comment', () => {
    it('is created under a post by any user', async () => {
      const answer = await write('Indeed')
      expect(answer).toMatchObject({
        status: 201,
        data: { post_id: post, author_id: commenter.id, body: 'Indeed' },
      })
      const location = answer.headers.get('location')!
      expect(location).toBe(`/api/v1/posts/${post}/comments/${answer.data.id}`)
      const read = await api().call('GET', location.slice('/api/v1'.length), { token: poster.token })
      expect(read).toMatchObject({ status: 200, data: answer.data })
    })

    it('is listed only under its post', async () => {
      const [one, two] = [await newPost(), await newPost()]
      const { id } = (await write('Here', one)).data
      await write('Elsewhere', two)
      const { list, meta } = await api().call('GET', `/posts/${one}/comments`, { token: poster.token })
      expect([list.map((comment) => comment.id), meta['total']]).toEqual([[id], 1])
    })

    it('exists only under its post', async () => {
      const { id } = (await write('Here')).data
      const elsewhere = await newPost()
      for (const path of [`/posts/${elsewhere}/comments/${id}`, `/posts/${unknownId}/comments/${id}`]) {
        for (const method of ['GET', 'DELETE']) {
          const answer = await api().call(method, path, { token: commenter.token })
          expect(answer).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
        }
      }
      expect((await write('Nowhere', unknownId)).status).toBe(404)
    })

    it('is changed by its author and by admins, not by the author of the post', async () => {
      const { id } = (await write('Mine')).data
      const path = `/posts/${post}/comments/${id}`
      const json = { body: 'Yours' }
      for (const method of ['PUT', 'PATCH']) {
        expect((await api().call(method, path, { json, token: poster.token })).status).toBe(403)
        const changed = await api().call(method, path, { json, token: commenter.token })
        expect(changed).toMatchObject({ status: 200, data: { body: 'Yours' } })
      }
      const moved = await api().call('PATCH', path, {
        json: { post_id: unknownId, author_id: poster.id },
        token: commenter.token,
      })
      expect(Object.keys(getProblems(moved)).sort()).toEqual(['author_id', 'post_id'])
      expect((await api().call('DELETE', path, { token: poster.token })).status).toBe(403)
      expect((await api().call('DELETE', path, { token: api().admin.token })).status).toBe(204)
    })

    it('is deleted with its post', async () => {
      const under = await newPost()
      const { id } = (await write('Gone', under)).data
      await api().call('DELETE', `/posts/${under}`, { token: poster.token })
      for (const path of [`/posts/${under}/comments/${id}`, `/posts/${under}/comments`]) {
        expect((await api().call('GET', path, { token: poster.token })).status).toBe(404)
      }
    })
  })
})
