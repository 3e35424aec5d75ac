import type { Detector, Range } from './ranges.ts'

/**
 * Credentials that are known by their shape alone. The last group is the credential where a pattern has one, else the
 * whole match. Every pattern starts at a fixed text that cannot be in the middle of a run of its own characters, so
 * that none is tried again and again over the same run.
 */
const SHAPES: readonly RegExp[] = [
  // JSON Web Tokens and encrypted ones, Kubernetes' service account tokens among them.
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){2,4}/g,
  // `{"auths":` in base64, `.dockerconfigjson`.
  /(?<![A-Za-z0-9+/])(?:eyJhdXRocyI6|ewogICJhdXRocyI6|ewoJImF1dGhzIjog)[A-Za-z0-9+/]+=*/g,
  /(?:"|\\")auth(?:"|\\{1,3}")[ \t]{0,4}:[ \t]{0,4}\\{0,3}"([A-Za-z0-9+/]{8,}={0,2})/g,
  // Amazon: access key id, a secret beside it, a request's signature, a session token.
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  /(?<=(?:AKIA|ASIA)[A-Z0-9]{16}[\s"',:;/|]{1,5})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g,
  /(?<![A-Za-z0-9])Signature=([0-9a-f]{64})/g,
  // Google.
  /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g,
  /(?<![A-Za-z0-9_-])(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{16,}/g,
  // Azure and signed URLs.
  /(?:[?&;]|\\u0026)(?:sig|X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token|Signature)=([^&\s"'<>\\\0]{8,})/gi,
  /(?<=(?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/]{20,}={0,2}/gi,
  // Code hosts and registries.
  /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{20,}/g,
  /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{20,}/g,
  /(?<![A-Za-z0-9])gl(?:pat|dt|rt|ptt|oas|cbt|agent|soat|ft|imt|ffct)-[A-Za-z0-9_.-]{16,}/g,
  /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{20,}/g,
  /(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,}/g,
  // Chat and mail.
  /(?<![A-Za-z0-9])xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{8,}/g,
  /(?<![A-Za-z0-9])xapp-[A-Za-z0-9-]{8,}/g,
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{8,}/gi,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/\d{5,25}\/)[A-Za-z0-9_-]{16,}/gi,
  /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}/g,
  /(?<![A-Za-z0-9])xkeysib-[0-9a-f]{32,}-[A-Za-z0-9]+/g,
  /(?<![A-Za-z0-9])key-[0-9a-f]{32}(?![0-9a-f])/g,
  /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![0-9a-f])/g,
  /(?<![A-Za-z0-9:])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g,
  // Payment, models, clouds, secret stores.
  /(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/]{16,}=*/g,
  /(?<![A-Za-z0-9_-])sk-(?:[a-z]{2,10}-)?(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{20,}/g,
  /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}/g,
  /(?<![A-Za-z0-9])do[opr]_v1_[0-9a-f]{64}/g,
  /(?<![A-Za-z0-9])sh(?:p(?:at|ca|pa|ss)|pua)_[0-9a-fA-F]{32}/g,
  /(?<![A-Za-z0-9])hv[sbr]\.[A-Za-z0-9_-]{20,}/g,
  /(?<![A-Za-z0-9])glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}/g,
  /(?<![A-Za-z0-9])NRAK-[A-Z0-9]{27}/g,
  /(?<![A-Za-z0-9])AGE-SECRET-KEY-1[A-Z0-9]{40,}/g,
  /(?<![A-Za-z0-9])ATATT3[A-Za-z0-9_=-]{20,}/g,
  /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{20,}/g,
]

/** Credentials known by their shape: cloud keys, tokens of well-known services, JWTs, signatures of URLs. */
export const tokens: Detector = text => {
  const ranges: Range[] = []
  for (const shape of SHAPES) {
    for (const match of text.matchAll(shape)) {
      const credential = match[1] ?? match[0]
      const end = match.index + match[0].length
      ranges.push({ start: end - credential.length, end })
    }
  }
  return ranges
}
