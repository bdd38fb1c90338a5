import { serve } from '@hono/node-server'
import { createHonoHandler } from '@sallyport/rest/hono'
import { Hono } from 'hono'
import { api, port } from './books.ts'

serve({ fetch: new Hono().all('/*', createHonoHandler(api)).fetch, port })
