import { createKeyRing, createTokenVerifier } from '@sallyport/auth'
import { createNodeListener } from '@sallyport/rest/node'
import { createServer } from 'node:http'
import { createBooksApi } from './books.ts'

const { JWT_SECRET: secret = '', ISSUER: issuer = 'https://books.example', PORT = '3000' } = process.env
const verifier = createTokenVerifier({ keys: createKeyRing([secret]), issuer, audience: issuer })
createServer(createNodeListener(createBooksApi(verifier, secret))).listen(Number(PORT))
