import { createExpressHandler } from '@sallyport/rest/express'
import express from 'express'
import { api, port } from './books.ts'

express().use(createExpressHandler(api)).listen(port)
