import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'
import { linkPages } from './site/links.ts'
import { writeLlmsTexts } from './site/llms.ts'
import { getSitePath, repository, summarizePage } from './site/pages.ts'
import { createSidebar } from './site/sidebar.ts'

const description = 'Receive webhooks you can trust, and build REST APIs, in TypeScript.'

export default defineConfig({
  title: 'Sallyport',
  description,
  lang: 'en',
  head: [['style', {}, '.VPHome .vp-doc h1 { margin-top: 64px }']],
  base: process.env['DOCS_BASE'] ?? '/',
  // READMEs of the packages and examples are pages too.
  srcDir: '..',
  srcExclude: ['*.md', '{packages,examples}/*/*/**', 'packages/*/!(README).md'],
  rewrites: getSitePath,
  // Otherwise every page contains the navigation a second time, as data.
  metaChunk: true,
  markdown: {
    config: linkPages,
    // Links to headings are those of GitHub.
    anchor: { slugify: (heading: string) => slug(heading) },
  },
  transformPageData(page) {
    if (page.relativePath === 'index.md') Object.assign(page.frontmatter, home)
    if (/^reference\/(providers|error-codes)/.test(page.relativePath)) page.frontmatter['editLink'] = false
    page.description = summarizePage(page.filePath).description
  },
  ignoreDeadLinks: 'localhostLinks',
  buildEnd: writeLlmsTexts,
  vite: {
    // esbuild cannot compile for the older browsers of the default.
    build: { target: 'es2022', chunkSizeWarningLimit: 4000 },
    server: { watch: { ignored: ['**/{data,dist,fixtures,coverage}/**'] } },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: createSidebar(),
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Providers', link: '/reference/providers' },
      // TypeDoc writes these pages next to those of the site.
      { text: 'API', link: '/api/index.html', target: '_self' },
      // The reference server writes this page.
      { text: 'REST API', link: '/openapi/index.html', target: '_self' },
      { text: 'Benchmarks', link: '/benchmarks' },
    ],
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/:path`, text: 'Edit this page on GitHub' },
    footer: { message: 'Released under the MIT License.' },
  },
})

const home = {
  layout: 'home',
  hero: {
    name: 'Sallyport',
    text: 'Webhooks you can trust',
    tagline: description,
    actions: [
      { theme: 'brand', text: 'Getting started', link: '/getting-started' },
      { theme: 'alt', text: 'Providers', link: '/reference/providers' },
      { theme: 'alt', text: 'Build a REST API', link: '/guides/build-a-rest-api' },
    ],
  },
  features: [
    {
      title: 'Verified',
      details: 'Each service has its own signature scheme, tested with deliveries that differ in one byte.',
      link: '/concepts/trust-model',
    },
    {
      title: 'Durable before 200',
      details: 'A delivery is on disk before the service gets its answer, and survives a killed process.',
      link: '/concepts/guarantees',
    },
    {
      title: 'One id for each event',
      details: 'A redelivery has the id of the first delivery, so that consumers ignore duplicates.',
      link: '/concepts/guarantees#one-event-one-id',
    },
  ],
}
