/**
 * Slack's limits, and how much of them an answer uses. Lengths are UTF-16 code units, Slack's strictest reading of
 * "characters".
 */
export const slackLimits = {
  /** Blocks in one message. https://docs.slack.dev/reference/block-kit/blocks */
  blocks: 50,
  /** `text` of a message; longer is truncated. https://docs.slack.dev/reference/methods/chat.postMessage */
  text: 40_000,
  /** `text` of a message, as Slack recommends it. https://docs.slack.dev/reference/methods/chat.postMessage */
  textRecommended: 4_000,
  /**
   * All blocks of a message together: undocumented. Slack answers `msg_blocks_too_long` from about 13,200 characters
   * on, and has done so at 11,341 characters of text in many small rich text elements
   * (https://github.com/slackapi/bolt-js/issues/2509, …/2867). So the JSON of the blocks is what is counted here:
   * never less than Slack counts.
   */
  blocksJson: 12_000,
  /** Elements of an actions block, and what they hold. https://docs.slack.dev/reference/block-kit/block-elements */
  actions: {
    elements: 25,
    text: 75,
    buttonValue: 2_000,
    optionValue: 150,
    overflowOptions: 5,
    selectOptions: 100,
  },
  /** https://docs.slack.dev/reference/block-kit/blocks/table-block */
  table: { rows: 100, columns: 20, perMessage: 1 },
} as const

/** podwhy's own measures, within Slack's. */
export const answerBudget = {
  /** Visible characters of the first message. */
  root: 700,
  /** `text` for notifications. */
  notification: 300,
  /** Visible characters of the title of a part. */
  title: 150,
  /** Lines and characters of log in the thread. */
  logLines: 30,
  logCharacters: 3_000,
  /** One log line; the middle of a longer one is left out. */
  logLine: 600,
  /** Visible characters of one list item. */
  listItem: 600,
  /** Items of one list; the rest is counted. */
  listItems: 25,
  /** JSON of one list's block; a longer list continues in the next block. */
  listJson: 5_000,
  /** A longer command is not shown: one that was cut would be wrong. */
  command: 2_500,
} as const
