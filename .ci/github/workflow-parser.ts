import type * as Parser from '@actions/workflow-parser'
import { build } from 'esbuild'

/** Loads GitHub's workflow parser as a bundle, because Node.js does not support its JSON imports. */
export async function loadWorkflowParser(): Promise<typeof Parser> {
  const { outputFiles } = await build({
    stdin: { contents: "export * from '@actions/workflow-parser'", resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    platform: 'node',
    // The CommonJS parts need `require` for Node.js modules.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)})`,
    },
    write: false,
    logLevel: 'error',
  })
  const code = Buffer.from(outputFiles[0]?.contents ?? [])
  return (await import(`data:text/javascript;base64,${code.toString('base64')}`)) as typeof Parser
}
