import type * as Parser from '@actions/workflow-parser'
import { build } from 'esbuild'

/** GitHub's own parser of workflows, bundled: it imports JSON in a way that Node.js does not take. */
export async function loadWorkflowParser(): Promise<typeof Parser> {
  const { outputFiles } = await build({
    stdin: { contents: "export * from '@actions/workflow-parser'", resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    platform: 'node',
    // Some of it is CommonJS, which requires modules of Node.js.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)})`,
    },
    write: false,
    logLevel: 'error',
  })
  const code = Buffer.from(outputFiles[0]?.contents ?? [])
  return (await import(`data:text/javascript;base64,${code.toString('base64')}`)) as typeof Parser
}
