{{- define "sallyport.secret" -}}
{{ .Values.existingSecret | default .Release.Name }}
{{- end }}

{{- /* A text as it is, a list with commas, and a number without an exponent. */ -}}
{{- define "sallyport.setting" -}}
{{- if kindIs "string" . }}{{ . | quote }}
{{- else if kindIs "slice" . }}{{ join "," . | quote }}
{{- else }}{{ toJson . | quote }}
{{- end }}
{{- end }}

{{- define "sallyport.selector" -}}
app.kubernetes.io/name: sallyport
app.kubernetes.io/instance: {{ .release }}
app.kubernetes.io/component: {{ .role }}
{{- end }}
