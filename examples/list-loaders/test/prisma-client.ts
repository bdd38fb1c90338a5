import { Buffer } from 'node:buffer'
import { createRequire } from 'node:module'
import { PrismaPg } from '@prisma/adapter-pg'
import { getPrismaClient, type GetPrismaClientConfig } from '@prisma/client/runtime/client'
import type { Pool } from 'pg'
import type { Book } from '@sallyport/test-support/lists'
import type { PrismaPage, PrismaWhere } from '../src/prisma.ts'
import parameterizationSchema from './schema.json' with { type: 'json' }

interface Client {
  readonly book: {
    readonly findMany: (page: PrismaPage) => Promise<Book[]>
    readonly count: (options: { where: PrismaWhere }) => Promise<number>
  }
  readonly $disconnect: () => Promise<void>
}

/** The types of Node.js have no class for compiled modules. */
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object }

/** These files have no type declarations. */
const requireCompiler = (extension: string): unknown =>
  createRequire(import.meta.url)(`@prisma/client/runtime/query_compiler_fast_bg.postgresql.${extension}`)

const field = (name: string, type: string) => ({ name, kind: 'scalar', type })

/**
 * The configuration that `prisma generate` writes for `inlineSchema`, with `parameterizationSchema` in `schema.json`. The
 * command downloads an engine, so its result is kept here. To generate it offline, set `PRISMA_SCHEMA_ENGINE_BINARY` to any
 * program: only migrations run the engine.
 */
const config: GetPrismaClientConfig = {
  previewFeatures: [],
  clientVersion: '7.10.0',
  engineVersion: '0edf323efd1d98336f3f0a68684b56f689b900d3',
  activeProvider: 'postgresql',
  inlineSchema: `datasource db {
  provider = "postgresql"
}
model Book {
  id    String   @id
  title String?
  year  Int
  added DateTime @db.Timestamptz(3)
}`,
  runtimeDataModel: {
    models: {
      Book: {
        fields: [
          field('id', 'String'),
          field('title', 'String'),
          field('year', 'Int'),
          field('added', 'DateTime'),
        ],
        dbName: null,
        schema: null,
      },
    },
    enums: {},
    types: {},
  } as unknown as GetPrismaClientConfig['runtimeDataModel'],
  parameterizationSchema,
  compilerWasm: {
    getRuntime: () => Promise.resolve(requireCompiler('js') as never),
    getQueryCompilerWasmModule() {
      const { wasm } = requireCompiler('wasm-base64.js') as { readonly wasm: string }
      return Promise.resolve(new WebAssembly.Module(Buffer.from(wasm, 'base64')))
    },
    importName: './query_compiler_fast_bg.js',
  },
}

export function openPrisma(pool: Pool, schema: string): Client {
  const Client = getPrismaClient(config) as unknown as new (options: object) => Client
  return new Client({ adapter: new PrismaPg(pool, { schema }) })
}
