import { catalogue, type Family } from '../../src/diagnosis/catalogue.ts'

const section = ({ title, causes }: Family): string =>
  [
    `## ${title}`,
    ...Object.entries(causes).flatMap(([id, { what, looksAt, todo }]) => [
      `### <a id="${id}"></a>\`${id}\``,
      what,
      `- **podwhy looks at** ${looksAt}.\n- **To do**: ${todo}`,
    ]),
  ].join('\n\n')

/** The text of `docs/causes.md`: every cause, with an anchor that is its id. */
export const causesPage = (): string =>
  `${[
    '# Causes',
    'What podwhy can name, by `cause.id` of its answers. An id is never renamed. The most specific cause that is proven wins;\n`*.other`, `app.crash` and `init.crash` are what is left where nothing more is proven.',
    'This page is written by `npm run docs` from `src/diagnosis/catalogue.ts`.',
    ...catalogue.map(section),
  ].join('\n\n')}\n`
